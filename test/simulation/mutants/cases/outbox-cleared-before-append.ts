import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'pending entries are cleared before they reach the log',
  breaks: 'confirmed changes are stored',
  changes: [
    {
      file: 'platform/outbox/flush.ts',
      find: '  if (pending.length === 0) return 0;',
      replace: `  if (pending.length === 0) return 0;
  await dependencies.documents.clearPending(
    ref,
    pending.map((entry) => entry.entryId),
  );`,
    },
  ],
};
