import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a batch of a run is recorded in a write that does not advance its position',
  breaks: 'erasure respects holds and open incidents: run',
  changes: [
    {
      file: 'records/retention/retention-run.ts',
      find: / {4}place,\s+batches: run\.batches \+ 1,\s+awaited: entry\.entryId,/,
      replace: '    batches: run.batches + 1,\n    awaited: null,',
    },
  ],
};
