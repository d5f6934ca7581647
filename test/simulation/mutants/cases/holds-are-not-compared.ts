import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'an erasure does not compare legal holds in its write, so a concurrent hold loses',
  breaks: 'erasure respects holds and open incidents: ERASURE:',
  changes: [
    {
      file: 'services/api/evidence/retention/refuse-kept.ts',
      find: '  if (isAsked) return [compared];',
      replace: '  if (isAsked) return [];',
    },
    {
      file: 'services/api/evidence/retention/refuse-kept.ts',
      find: '  return [compared, noOpenIncident(signalId)];',
      replace: '  return [noOpenIncident(signalId)];',
    },
    {
      file: 'services/api/evidence/retention/retention-steps.ts',
      find: 'const seen = [compared, await unchangedUsage(documents, customerId)];',
      replace: 'const seen = [await unchangedUsage(documents, customerId)];',
    },
  ],
};
