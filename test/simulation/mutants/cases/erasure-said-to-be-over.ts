import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'an erasure is reported as complete as soon as it is decided',
  breaks: 'erased signals are gone and provable: the erasure of',
  changes: [
    {
      file: 'services/api/evidence/retention/read-erasure.ts',
      find: "  deleted: false,\n  status: 'PENDING',",
      replace: "  deleted: true,\n  status: 'ERASED',",
    },
  ],
};
