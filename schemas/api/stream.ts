import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute, EVENT_STREAM } from './contract.ts';
import { stats } from './dashboard.ts';
import { signal } from './signals.ts';

/** Streams that one customer may have open in a process. */
export const STREAMS_PER_CUSTOMER = 50;
/** Signals that a stream catches up on; after more missed ones it begins anew. */
export const MAX_MISSED = 5_000;

/**
 * A place in a customer's ledger, as the id of an event spells it: the log's epoch and the index of an entry. -1: before
 * the first entry.
 */
export interface LedgerPlace {
  readonly epoch: number;
  readonly index: number;
}

export const EVENT_ID = /^(\d{1,9})-(-1|\d{1,15})$/;
export const eventIdOf = ({ epoch, index }: LedgerPlace): string => `${epoch}-${index}`;

/** Null: the text is no event id. */
export function placeOfEventId(text: string): LedgerPlace | null {
  const [, epoch, index] = EVENT_ID.exec(text) ?? [];
  return epoch === undefined || index === undefined ? null : { epoch: Number(epoch), index: Number(index) };
}

const ready = z.object({
  resumed: z.boolean().meta({
    description: 'true: what came behind Last-Event-ID follows; false: the stream begins with what comes now',
  }),
});

const RESET_REASONS = ['TOO_MANY_MISSED', 'UNKNOWN_PLACE'] as const;
const reset = z.object({
  reason: z.enum(RESET_REASONS).meta({
    description: `TOO_MANY_MISSED: more than ${MAX_MISSED} signals; UNKNOWN_PLACE: the ledger has no such place`,
  }),
});
export type ResetReason = (typeof RESET_REASONS)[number];

/** The events of a stream by name: what the JSON in `data` holds. */
export const STREAM_EVENTS = { ready, signal, stats, reset } as const;
type StreamEventName = keyof typeof STREAM_EVENTS;
export type StreamEvent<Name extends StreamEventName = StreamEventName> = {
  readonly [Each in Name]: { readonly event: Each; readonly data: z.output<(typeof STREAM_EVENTS)[Each]> };
}[Name];

export const streamSignals = defineRoute({
  ...endpoints.streamSignals,
  operationId: 'streamSignals',
  summary: 'Signals as they are stored, and the numbers whenever they change, as server-sent events',
  description: `The answer does not end. Its events:

- \`ready\`, first: \`{resumed}\`.
- \`signal\`: a signal as the list shows it, in the order of the ledger.
- \`stats\`: the numbers of \`GET /dashboard/stats\` without filters, when something changed: every two seconds at most, every \
ten at least.
- \`reset\`: \`{reason}\`: signals were missed that do not come any more; read the list again. The stream goes on with \
what comes now.

A comment comes every 15 seconds. \`ready\`, \`signal\` and \`reset\` have an id, which names a place in the ledger. A stream that breaks off is \
taken up again with the last id in \`Last-Event-ID\`, as browsers do by themselves, or in \`lastEventId\`: what was \
missed comes first, up to ${MAX_MISSED} signals, none twice and none left out, from whichever process. What was erased \
meanwhile does not come.

A stream ends when its key is revoked, twelve hours after a session opened it, when the service stops, and when its client does not read. A customer may have \
${STREAMS_PER_CUSTOMER} of them open in a process.`,
  tag: 'dashboard',
  auth: 'key',
  query: z.object({
    lastEventId: z.string().regex(EVENT_ID, 'Expected the id of an event').optional().meta({
      description: 'as the header, for clients that cannot set it; the header counts when both are sent',
    }),
  }),
  lastEventId: true,
  successStatus: 200,
  mediaTypes: [EVENT_STREAM],
  responses: { 200: z.string() },
  errors: ['STREAM_LIMIT_REACHED'],
});
