import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a package with erased content is still served',
  breaks: 'packages are complete without erased content: file',
  changes: [
    {
      file: 'records/packages/packages.ts',
      find: 'return held !== null && ranges.some(([from, to]) => from <= held[1] && to >= held[0]);',
      replace: 'return held !== null && ranges.length < 0;',
    },
  ],
};
