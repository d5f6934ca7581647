import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a package that holds something erased is handed out as before',
  breaks: 'packages are whole, and hold nothing erased: file',
  changes: [
    {
      file: 'records/packages/packages.ts',
      find: 'return held !== null && ranges.some(([from, to]) => from <= held[1] && to >= held[0]);',
      replace: 'return held !== null && ranges.length < 0;',
    },
  ],
};
