import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a note leaves although the warehouse did not take its checkpoint',
  breaks: 'notes are of one ledger',
  changes: [
    {
      file: 'records/ledger/checkpoints.ts',
      find: 'await storeCheckpoint(warehouse, { customerId, ...next });',
      replace: 'await storeCheckpoint(warehouse, { customerId, ...next }).catch(() => undefined);',
    },
  ],
};
