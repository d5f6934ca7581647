import type { FastifyInstance } from 'fastify';

/** Of all bodies together that nobody wants. Reading on end takes a core for a gigabyte a second. */
const BYTES_PER_SECOND = 64 * 1024 * 1024;

/** How fast things may go on, all of them together. */
export interface Pace {
  /** Counts so many bytes; the ms until more of them may come. */
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
 * What was refused before its body was read has to be read all the same, for a client that is still sending does not look at
 * the answer. The runtime would do so as fast as bytes arrive, and with forty connections of 16 MiB have no time for
 * anything else. At a pace, each such client waits a little longer for the end of what it sends.
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
