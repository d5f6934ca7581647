import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a state older than the ledger starts, and a revoked API key works again',
  breaks: 'confirmed changes are stored: the ledger says that key',
  changes: [
    {
      file: 'records/comparison/older-state.ts',
      find: 'if (found.length > 0) throw new StateOlder(found);',
      replace: '',
    },
  ],
};
