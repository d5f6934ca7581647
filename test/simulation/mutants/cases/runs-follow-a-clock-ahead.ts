import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a run answers a request when it began after it, by whichever clocks',
  breaks: 'everything ends in time',
  changes: [
    {
      file: 'records/retention/retention-run.ts',
      find: 'requestedAt !== run.requestedAt)',
      replace: 'requestedAt > run.startedAt)',
    },
  ],
};
