import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'an audit is accepted although the log did not confirm it',
  breaks: 'every 202 ends in one final state',
  changes: [
    {
      file: 'services/api/use-cases/submit-audit.ts',
      find: /append\(parts, record\)\.catch\(\(error: unknown\) =>\s+failed\(error, undo, isCertain\(error\)\),\s+\)/,
      replace: 'append(parts, record).catch(() => ({ partition: 0, offset: 0, timestamp: 0 }))',
    },
  ],
};
