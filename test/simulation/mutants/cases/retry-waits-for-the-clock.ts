import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a retry waits for the wall clock even if that was set back',
  breaks: 'everything ends in time: audit.triplets.retry',
  changes: [
    {
      file: 'platform/stream/partition/due-wait.ts',
      find: 'Math.min(dueAt - now(), seen.at + delayMs - clock())',
      replace: 'dueAt - now()',
    },
  ],
};
