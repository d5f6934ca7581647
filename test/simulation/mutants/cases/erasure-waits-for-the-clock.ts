import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'an erasure waits for the wall clock even if that was set back',
  breaks: 'everything ends in time: erasure of',
  changes: [
    {
      file: 'services/api/operators/erasure/phase-waits.ts',
      find: ' || clock() - wait.since >= limitMs',
      replace: '',
    },
  ],
};
