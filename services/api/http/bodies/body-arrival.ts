import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import { type HeldBody, MEMORY_PER_BYTE } from './body-budget.ts';

type Payload = FastifyRequest['raw'];
type Done = (error: Error | null, body?: Buffer) => void;

/** Initial buffer for a body without a length; doubles when full. */
const FIRST_ROOM_BYTES = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/** The Content-Length; null if absent. */
export function declaredLength(request: FastifyRequest): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}

/**
 * Bodies of every type are received as bytes, so the size is checked first (413), then the type (415), then the JSON
 * (400), in `route.ts`.
 */
export function installBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.heldBody === null) throw new Error('a body arrived without admission');
    const length = declaredLength(request);
    const limit = request.routeOptions.bodyLimit;
    if (length !== null && length > limit) done(new Refusal('BODY_TOO_LARGE'));
    else collect(payload, { length, limit, held: request.heldBody }, done);
  });
}

interface Expected {
  readonly length: number | null;
  readonly limit: number;
  readonly held: HeldBody;
}

/**
 * Collects the body in one buffer. Chunks are copied, not kept: in a body sent as single bytes, each would cost a
 * hundred bytes.
 */
function collect(payload: Payload, { length, limit, held }: Expected, done: Done): void {
  let room: Buffer = NOTHING;
  let filled = 0;
  const finish = (error: Error | null): void => {
    payload.removeListener('data', onData);
    payload.removeListener('end', onEnd);
    payload.removeListener('error', finish);
    if (error === null) done(null, room.subarray(0, filled));
    else done(error);
  };
  const onData = (chunk: Buffer): void => {
    // Nearly every body arrives in one chunk. If that is not a slice of a larger buffer, there is nothing to copy.
    if (chunk.length === length && chunk.buffer.byteLength === length) {
      room = chunk;
      filled = length;
      return;
    }
    if (filled === 0 && length !== null) room = Buffer.allocUnsafe(length);
    try {
      room = withRoom(room, filled, filled + chunk.length, limit, held);
    } catch (error) {
      finish(error as Error);
      return;
    }
    filled += chunk.copy(room, filled);
  };
  const onEnd = (): void =>
    finish(length === null || filled === length ? null : new Refusal('INVALID_REQUEST'));
  payload.on('data', onData);
  payload.on('end', onEnd);
  payload.on('error', finish);
  payload.resume();
}

/** A buffer for `needed` bytes. Growth is counted before it is allocated. */
function withRoom(room: Buffer, filled: number, needed: number, limit: number, held: HeldBody): Buffer {
  if (needed > limit) throw new Refusal('BODY_TOO_LARGE');
  if (needed <= room.length) return room;
  const size = Math.min(limit, Math.max(needed, 2 * room.length, FIRST_ROOM_BYTES));
  held.take((size - room.length) * MEMORY_PER_BYTE);
  const larger = Buffer.allocUnsafe(size);
  room.copy(larger, 0, 0, filled);
  return larger;
}
