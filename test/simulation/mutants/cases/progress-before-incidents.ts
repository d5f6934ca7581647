import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a customer’s progress is stored before its incidents',
  breaks: 'each breach has its incident',
  changes: [
    {
      file: 'services/correlator/policies/pipeline.ts',
      find: '      await settle(dependencies, customerId, breaking);',
      replace: '      void settle(dependencies, customerId, breaking).catch(() => undefined);',
    },
  ],
};
