import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the fold treats rows of an incomplete flush as older ones',
  breaks: 'one chain per customer',
  changes: [
    {
      file: 'services/sink/flush/lookups.ts',
      find: 'comparePositions(row, bound) >= 0',
      replace: 'false',
    },
  ],
};
