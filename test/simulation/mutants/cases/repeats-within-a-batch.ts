import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a record repeated within one batch is folded twice',
  breaks: 'one chain per customer',
  changes: [{ file: 'services/sink/fold/fold-batch.ts', find: /known\.(add|set)\(key[^;]*;/, replace: '' }],
};
