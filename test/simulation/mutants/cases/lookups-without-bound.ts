import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the fold takes rows of a flush that did not reach its end for older ones',
  breaks: 'one chain per customer',
  changes: [
    {
      file: 'services/sink/flush/lookups.ts',
      find: 'comparePositions(row, bound) >= 0',
      replace: 'false',
    },
  ],
};
