import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'what comes behind the closing entry of an erased customer is stored in clear',
  breaks: 'what was erased stays erased',
  changes: [
    {
      file: 'services/sink/fold/fold-batch.ts',
      find: 'const closed = head?.closed ?? false;',
      replace: 'const closed = false;',
    },
  ],
};
