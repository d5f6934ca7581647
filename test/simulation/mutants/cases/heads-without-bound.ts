import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the chain goes on from rows of a flush that did not reach its end',
  breaks: 'one chain per customer',
  changes: [
    {
      file: 'services/sink/flush/lookups.ts',
      find: /belowOffset(: below)? \}\)\)/,
      replace: 'belowOffset: Number.MAX_SAFE_INTEGER }))',
    },
  ],
};
