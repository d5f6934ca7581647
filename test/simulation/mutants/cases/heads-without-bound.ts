import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the chain continues from rows of an incomplete flush',
  breaks: 'one chain per customer',
  changes: [
    {
      file: 'services/sink/flush/lookups.ts',
      find: /belowOffset(: below)? \}\)\)/,
      replace: 'belowOffset: Number.MAX_SAFE_INTEGER }))',
    },
  ],
};
