import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a run of retention policies takes what a legal hold keeps',
  breaks: 'what forbids an erasure wins: ERASURE:retention',
  changes: [
    {
      file: 'services/api/evidence/retention/retention-steps.ts',
      find: 'const free = planned.filter(({ held }) => !held);',
      replace: 'const free = planned;',
    },
  ],
};
