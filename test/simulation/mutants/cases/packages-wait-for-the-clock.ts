import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a package waits for the wall clock even if that was set back',
  breaks: 'everything ends in time: package',
  changes: [
    {
      file: 'services/api/evidence/packages/package-rounds.ts',
      find: ' || dueAt > now + Math.max(RECHECK_MS, LONGEST_WAIT_MS);',
      replace: ';',
    },
  ],
};
