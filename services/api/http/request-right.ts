import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeldRights } from '../operations/rights/held-rights.ts';
import { endedError, rightOf } from '../operations/rights/right.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the caller's right was last checked; monotonic, ms. */
    admittedAt: number;
  }
}

/** A request this long after its last check (ms) is checked again before it acts or is answered. */
const CONFIRMED_MS = 1_000;

/** Rejects if the right that admitted the request has ended. null: it was checked a moment ago. */
export function confirmRight(rights: HeldRights, request: FastifyRequest): Promise<void> | null {
  const { caller, admittedAt } = request;
  if (caller === null || performance.now() - admittedAt < CONFIRMED_MS) return null;
  request.admittedAt = performance.now();
  return rights.demand(rightOf(caller));
}

/** Ends a stream when its caller's right ends; throws if that happened since the request was admitted. */
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
    // Data waiting for a slow reader is not sent either.
    const isWaiting = stream.readableLength > 0 || reply.raw.writableLength > 0;
    if (endStream === undefined || isWaiting) stream.destroy(endedError(right));
    else endStream();
  };
  // Registered before the check, so a right that ends in between is noticed by one of the two.
  const release = rights.hold(right, end);
  stream.once('close', release);
  try {
    await rights.demand(right);
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
