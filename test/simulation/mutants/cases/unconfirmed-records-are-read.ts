import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'records that no replica confirmed are read as if they would last',
  breaks: 'every 202 ends in one final state: audit',
  changes: [
    {
      file: 'test/simulation/dependencies/state-of-process.ts',
      find: 'scope === undefined || durable.isConfirmed(scope) || durable.confirmed()',
      replace: 'true || scope === undefined',
    },
  ],
};
