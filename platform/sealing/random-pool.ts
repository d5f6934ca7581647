import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 16 * 1024;

/**
 * Random bytes of the system, requested in large blocks: one call costs about as much for 16 KiB as for 32 bytes. Bytes
 * are wiped from the pool when taken, so that memory does not contain a key twice.
 */
export function createRandomPool(fill: (pool: Buffer) => void = randomFillSync): (size: number) => Buffer {
  const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  let used = POOL_BYTES;
  return (size) => {
    if (size > POOL_BYTES) {
      const bytes = Buffer.allocUnsafe(size);
      fill(bytes);
      return bytes;
    }
    if (used + size > POOL_BYTES) {
      fill(pool);
      used = 0;
    }
    const bytes = Buffer.allocUnsafe(size);
    // For a handful of bytes, a loop takes a third of the time of two library calls.
    for (let at = 0; at < size; at += 1) {
      bytes[at] = pool[used + at]!;
      pool[used + at] = 0;
    }
    used += size;
    return bytes;
  };
}
