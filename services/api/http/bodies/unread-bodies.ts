import type { FastifyInstance } from 'fastify';

/** Shared by all discarded bodies. Reading without a pause uses a whole core at a gigabyte a second. */
const BYTES_PER_SECOND = 64 * 1024 * 1024;

/** A rate that all discarded bodies share. */
export interface Pace {
  /** Counts this many bytes; returns the ms until more may be read. */
  take(bytes: number): number;
}

/** `clock`: monotonic, ms. */
export function createPace(bytesPerSecond: number, clock: () => number): Pace {
  let freeAt = 0;
  return {
    take: (bytes) => {
      const now = clock();
      freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * 1000;
      return freeAt - now;
    },
  };
}

/**
 * A request refused before its body was read must still be read, because a client that is still sending does not read
 * the answer. The runtime would read as fast as bytes arrive, and with forty connections of 16 MiB would have no time
 * for anything else. With throttling, each such client takes a little longer to finish sending.
 */
export function discardUnreadBodies(
  app: FastifyInstance,
  pace: Pace = createPace(BYTES_PER_SECOND, () => performance.now()),
): void {
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const { raw } = request;
    if (!raw.complete && raw.listenerCount('data') === 0) {
      raw.on('error', () => undefined);
      raw.on('data', (chunk: Buffer) => {
        raw.pause();
        setTimeout(() => raw.resume(), pace.take(chunk.length)).unref();
      });
    }
    done();
  });
}
