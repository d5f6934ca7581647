import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a retention run erases signals under a legal hold',
  breaks: 'erasure respects holds and open incidents: ERASURE:retention',
  changes: [
    {
      file: 'services/api/evidence/retention/retention-steps.ts',
      find: 'const free = planned.filter(({ held }) => !held);',
      replace: 'const free = planned;',
    },
  ],
};
