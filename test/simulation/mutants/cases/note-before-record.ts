import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a note is published although the warehouse did not store its checkpoint',
  breaks: 'notes match one ledger',
  changes: [
    {
      file: 'records/ledger/checkpoints.ts',
      find: 'await storeCheckpoint(warehouse, { customerId, ...next });',
      replace: 'await storeCheckpoint(warehouse, { customerId, ...next }).catch(() => undefined);',
    },
  ],
};
