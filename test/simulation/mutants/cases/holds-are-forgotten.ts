import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a legal hold is confirmed but not stored',
  breaks: 'erasure respects holds and open incidents: the erasure of',
  changes: [
    {
      file: 'records/retention/legal-holds.ts',
      find: 'const isHeld = policy.legalHold && policy.active && policy.deletedAt === null;',
      replace: 'const isHeld = false;',
    },
  ],
};
