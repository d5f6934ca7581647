import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'records not confirmed by a replica are read as durable',
  breaks: 'every 202 ends in one final state: audit',
  changes: [
    {
      file: 'test/simulation/dependencies/state-of-process.ts',
      find: 'scope === undefined || durable.isConfirmed(scope) || durable.confirmed()',
      replace: 'true || scope === undefined',
    },
  ],
};
