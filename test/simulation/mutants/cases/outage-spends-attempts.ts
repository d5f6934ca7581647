import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'an unavailable dependency uses up attempts of audits',
  breaks: 'every 202 ends in one final state: audit',
  changes: [
    {
      file: 'services/analyzer/steps/audits.ts',
      find: 'if (isRetryable(error) || error instanceof MasterKeyMismatch) throw error;',
      replace: 'if (error instanceof MasterKeyMismatch) throw error;',
    },
  ],
};
