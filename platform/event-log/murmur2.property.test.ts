import fc from 'fast-check';
import { Partitioners } from 'kafkajs';
import { expect, test } from '#jest';
import { partitionOf } from './murmur2.ts';

test('partitions keys like the default partitioner of the Kafka client', () => {
  const partitioner = Partitioners.DefaultPartitioner();
  const key = fc.oneof(
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.string({ minLength: 1, unit: 'grapheme', maxLength: 60 }),
    fc.uuid(),
  );
  fc.assert(
    fc.property(key, fc.integer({ min: 1, max: 64 }), (text, partitions) => {
      const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
        partitionErrorCode: 0,
        partitionId,
        leader: 1,
        replicas: [],
        isr: [],
      }));
      const message = { key: text, value: null };
      expect(partitionOf(text, partitions)).toBe(partitioner({ topic: 't', partitionMetadata, message }));
    }),
    { numRuns: 1_000 },
  );
});
