import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'entries folded during a snapshot’s insert count as saved',
  breaks: 'patterns equal a single read',
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
