import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a package with erased content is still served',
  breaks: 'packages are complete without erased content: file',
  changes: [
    {
      file: 'records/packages/packages.ts',
      find: 'return contained !== null && ranges.some(([from, to]) => from <= contained[1] && to >= contained[0]);',
      replace: 'return contained !== null && ranges.length < 0;',
    },
  ],
};
