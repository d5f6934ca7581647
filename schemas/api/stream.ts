import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute, EVENT_STREAM } from './contract.ts';
import { stats } from './dashboard.ts';
import { signal } from './signals.ts';

/** Maximum number of open streams per customer in one process. */
export const STREAMS_PER_CUSTOMER = 50;
/** Maximum number of missed signals that a stream catches up on; after more, it starts over. */
export const MAX_MISSED = 5_000;

/**
 * A position in a customer's ledger, written in event ids: the log's epoch and an entry's index, -1 before the first
 * entry.
 */
export interface LedgerPosition {
  readonly epoch: number;
  readonly index: number;
}

export const EVENT_ID = /^(\d{1,9})-(-1|\d{1,15})$/;
export const eventIdOf = ({ epoch, index }: LedgerPosition): string => `${epoch}-${index}`;

/** Null if the text is not an event id. */
export function positionOfEventId(text: string): LedgerPosition | null {
  const [, epoch, index] = EVENT_ID.exec(text) ?? [];
  return epoch === undefined || index === undefined ? null : { epoch: Number(epoch), index: Number(index) };
}

const ready = z.object({
  resumed: z.boolean().meta({
    description: 'true: events after Last-Event-ID follow; false: the stream starts with new events',
  }),
});

const RESET_REASONS = ['TOO_MANY_MISSED', 'UNKNOWN_PLACE'] as const;
const reset = z.object({
  reason: z.enum(RESET_REASONS).meta({
    description: `TOO_MANY_MISSED: more than ${MAX_MISSED} signals; UNKNOWN_PLACE: the id is unknown in the ledger`,
  }),
});
export type ResetReason = (typeof RESET_REASONS)[number];

/** A stream's events by name, with the schema of the JSON in `data`. */
export const STREAM_EVENTS = { ready, signal, stats, reset } as const;
type StreamEventName = keyof typeof STREAM_EVENTS;
export type StreamEvent<Name extends StreamEventName = StreamEventName> = {
  readonly [Each in Name]: { readonly event: Each; readonly data: z.output<(typeof STREAM_EVENTS)[Each]> };
}[Name];

export const streamSignals = defineRoute({
  ...endpoints.streamSignals,
  operationId: 'streamSignals',
  summary: 'Stream signals (SSE)',
  description: `Streams server-sent events:

- \`ready\`: \`{resumed}\`, the first event.
- \`signal\`: a signal as in the list, in ledger order.
- \`stats\`: \`GET /dashboard/stats\` without filters, on changes: at most every 2 seconds, at least every 10.
- \`reset\`: \`{reason}\`. Signals were missed and will not be sent; read the list again. The stream continues with new signals.

A comment is sent every 15 seconds. To resume a stream, send the id of the last event as \`Last-Event-ID\` (browsers do) or \
\`lastEventId\`. Up to ${MAX_MISSED} missed signals are sent first, each exactly once, by any process. Signals erased in the \
meantime are not sent.

A stream ends when its key is revoked, 12 hours after a session opened it, when the service stops, and when the client does \
not read. Each customer can have ${STREAMS_PER_CUSTOMER} open streams per process.`,
  tag: 'Signals',
  auth: 'key',
  query: z.object({
    lastEventId: z.string().regex(EVENT_ID, 'Expected the id of an event').optional().meta({
      description: 'like the header, for clients that cannot set it; the header takes precedence',
    }),
  }),
  lastEventId: true,
  successStatus: 200,
  mediaTypes: [EVENT_STREAM],
  responses: { 200: z.string() },
  errors: ['STREAM_LIMIT_REACHED'],
});
