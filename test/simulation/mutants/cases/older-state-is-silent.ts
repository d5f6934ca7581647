import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a state older than the ledger starts, and no repeat with different content is recorded',
  breaks: 'confirmed changes are stored: the ledger says',
  changes: [
    {
      file: 'records/comparison/older-state.ts',
      find: 'if (found.length > 0) throw new StateOlder(found);',
      replace: '',
    },
    {
      file: 'services/sink/fold/fold-batch.ts',
      find: 'contradictions.push(...contradictionOf(record, cores.get(key), input.epoch));',
      replace: '',
    },
  ],
};
