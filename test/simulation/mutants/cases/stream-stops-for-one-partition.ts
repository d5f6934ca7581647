import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a record that cannot be folded stops every partition of the sink',
  breaks: 'everything ends in time',
  changes: [
    {
      file: 'platform/stream/partition/partition-work.ts',
      find: 'if (error instanceof PartitionFault) await this.stopper.stopAndWait(error, signal);',
      replace: 'if (error instanceof PartitionFault) throw error;',
    },
  ],
};
