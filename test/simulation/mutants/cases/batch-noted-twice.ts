import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a batch of a run is noted in a write that does not move its place',
  breaks: 'what forbids an erasure wins: run',
  changes: [
    {
      file: 'records/retention/retention-run.ts',
      find: / {4}place,\s+batches: run\.batches \+ 1,\s+awaited: entry\.entryId,/,
      replace: '    batches: run.batches + 1,\n    awaited: null,',
    },
  ],
};
