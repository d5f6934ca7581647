import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeldRights } from '../operations/rights/held-rights.ts';
import { endedError, rightOf } from '../operations/rights/right.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the caller's right was checked last; monotonic, ms. */
    admittedAt: number;
  }
}

/** A request is checked again before it acts or is answered so long after it was admitted, ms. */
const CONFIRMED_MS = 1_000;

/** Rejects when what the request was admitted by has ended. null: it was checked a moment ago. */
export function confirmRight(rights: HeldRights, request: FastifyRequest): Promise<void> | null {
  const { caller, admittedAt } = request;
  if (caller === null || performance.now() - admittedAt < CONFIRMED_MS) return null;
  request.admittedAt = performance.now();
  return rights.demand(rightOf(caller));
}

/** Ends a stream with its caller's right; throws when the right has ended since the request was admitted. */
export async function holdRight(
  rights: HeldRights,
  reply: FastifyReply,
  stream: Readable,
  endStream?: () => void,
): Promise<void> {
  const { caller } = reply.request;
  if (caller === null) return;
  const right = rightOf(caller);
  const end = (): void => {
    // What waits for a slow reader is not sent either.
    const isWaiting = stream.readableLength > 0 || reply.raw.writableLength > 0;
    if (endStream === undefined || isWaiting) stream.destroy(endedError(right));
    else endStream();
  };
  // Held before it is checked: one that ends in between is found by one of the two.
  const release = rights.hold(right, end);
  stream.once('close', release);
  try {
    await rights.demand(right);
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
