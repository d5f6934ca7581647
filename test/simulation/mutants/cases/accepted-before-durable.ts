import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'an audit is accepted although the log did not confirm it',
  breaks: 'every 202 ends in one final state',
  changes: [
    {
      file: 'services/api/ingest/submit-audit.ts',
      find: /append\(dependencies, record\)\.catch\(\(error: unknown\) =>\s+failed\(error, undo, isCertain\(error\)\),\s+\)/,
      replace: 'append(dependencies, record).catch(() => ({ partition: 0, offset: 0, timestamp: 0 }))',
    },
  ],
};
