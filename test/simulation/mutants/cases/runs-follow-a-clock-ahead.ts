import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a run answers a request if it started later, by any clock',
  breaks: 'everything ends in time',
  changes: [
    {
      file: 'records/retention/retention-run.ts',
      find: 'requestedAt !== run.requestedAt)',
      replace: 'requestedAt > run.startedAt)',
    },
  ],
};
