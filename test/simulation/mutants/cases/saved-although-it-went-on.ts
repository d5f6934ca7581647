import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a customer counts as saved with what was folded while its snapshot was on the way',
  breaks: 'patterns are those of one reading',
  changes: [
    {
      file: 'services/correlator/patterns/fold-snapshots.ts',
      find: '    held.isDirty = false;\n',
      replace: '',
    },
    {
      file: 'services/correlator/patterns/fold-snapshots.ts',
      find: '      if (stored.length > 0) await storeSnapshots(warehouse, stored);\n',
      replace:
        '      if (stored.length > 0) await storeSnapshots(warehouse, stored);\n      for (const one of held) one.isDirty = false;\n',
    },
  ],
};
