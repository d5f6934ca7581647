import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'how far a customer was compared is noted although its incidents are not written yet',
  breaks: 'each breach has its incident',
  changes: [
    {
      file: 'services/correlator/policies/pipeline.ts',
      find: '      await settle(dependencies, customerId, breaking);',
      replace: '      void settle(dependencies, customerId, breaking).catch(() => undefined);',
    },
  ],
};
