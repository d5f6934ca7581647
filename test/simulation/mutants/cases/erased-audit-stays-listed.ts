import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the audit of an erased signal stays unchanged in the list',
  breaks: 'erased signals are gone and provable: audit',
  changes: [
    {
      file: 'services/sink/fold/erasure.ts',
      find: "      if (core.scope === 'ALL') eraseAudit(signals[0]!.auditId, linked, below, rows.audits);",
      replace: '',
    },
  ],
};
