import type { Partitioner } from './port.ts';

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;

/**
 * MurmurHash2 (32 bit) with the seed of Kafka's Java client, as a signed integer. It must never change: it decides the
 * partition of a key, and so its chain.
 */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length;
  const tail = length & ~3;
  let hash = SEED ^ length;
  for (let index = 0; index < tail; index += 4) {
    let word =
      bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24);
    word = Math.imul(word, MULTIPLIER);
    word ^= word >>> 24;
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(word, MULTIPLIER);
  }
  const rest = length - tail;
  if (rest === 3) hash ^= bytes[tail + 2]! << 16;
  if (rest >= 2) hash ^= bytes[tail + 1]! << 8;
  if (rest >= 1) hash = Math.imul(hash ^ bytes[tail]!, MULTIPLIER);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, MULTIPLIER);
  return hash ^ (hash >>> 15);
}

/**
 * Partition of a key in a topic of `partitions` partitions: murmur2 of its UTF-8 bytes without the sign bit, modulo.
 */
export const partitionOf: Partitioner = (key, partitions) =>
  (murmur2(Buffer.from(key, 'utf8')) & 0x7fffffff) % partitions;
