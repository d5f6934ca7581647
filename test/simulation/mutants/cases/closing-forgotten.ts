import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'entries after the closing entry of an erased customer are stored in clear',
  breaks: 'erased customers stay erased',
  changes: [
    {
      file: 'services/sink/fold/fold-batch.ts',
      find: 'const closed = head?.closed ?? false;',
      replace: 'const closed = false;',
    },
  ],
};
