import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the erasure of a customer does not wait for requests under way',
  breaks: 'what was erased stays erased',
  changes: [
    {
      file: 'services/api/jobs/erasure-steps.ts',
      find: 'if (!isOver && (parts.isUnderWay?.(customerId) ?? true)) return false;',
      replace: '',
    },
  ],
};
