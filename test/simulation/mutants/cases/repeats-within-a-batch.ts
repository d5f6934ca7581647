import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a record that is repeated within one batch is folded twice',
  breaks: 'one chain per customer',
  changes: [{ file: 'services/sink/fold/fold-batch.ts', find: /known\.(add|set)\(key[^;]*;/, replace: '' }],
};
