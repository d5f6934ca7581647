import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a record that cannot be folded stops the sink with all its partitions',
  breaks: 'everything ends in time',
  changes: [
    {
      file: 'platform/stream/partition-hold.ts',
      find: 'if (!(error instanceof PartitionFault)) throw error;',
      replace: 'if (!(error instanceof PartitionFault) || error.message !== null) throw error;',
    },
  ],
};
