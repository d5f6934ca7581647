import { setTimeout as after } from 'node:timers/promises';
import { type OutgoingFetch, reasonOf } from '#platform/outgoing/outgoing-fetch.ts';
import { type AcceptedBatch, NDJSON, type RefusedBatch } from '#schemas/api/audit-batch.ts';
import type { ErrorBody } from '#schemas/api/errors.ts';
import { ingestBatch } from '#schemas/endpoints.ts';
import { refusalText } from '../command/client.ts';

type ItemAnswer = AcceptedBatch['data'][number];

interface BatchAnswer {
  /** In the order of the lines. */
  readonly items: readonly ItemAnswer[];
  /** The response was replayed: these audits were accepted earlier. */
  readonly replayed: boolean;
}

export interface Sender {
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly send: OutgoingFetch;
  /** How long a batch is retried while the service cannot accept it, ms. */
  readonly patienceMs: number;
}

/** Nothing more can be sent now. The message says why and what to do. */
class Stopped extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Stopped';
  }
}

interface Later {
  readonly why: string;
  readonly waitMs: number;
}

/** Statuses after which the same request may succeed. */
const RETRYABLE_STATUSES: readonly number[] = [408, 409, 429, 500, 502, 503, 504];
const UNAVAILABLE = 503;
const DEFAULT_WAIT_SECONDS = 1;
const NEW_LINE = Buffer.from('\n');

/**
 * Sends a batch of lines under an Idempotency-Key until each has a final outcome. While the service is busy, or could
 * not store some of them, the whole batch is retried, which ingests nothing twice. Throws `Stopped` when `patienceMs`
 * has passed or the service refuses the batch as a whole.
 */
export async function sendBatch(
  sender: Sender,
  lines: readonly Buffer[],
  idempotencyKey: string,
): Promise<BatchAnswer> {
  const body = Buffer.concat(lines.flatMap((line) => [line, NEW_LINE]));
  const deadline = performance.now() + sender.patienceMs;
  for (;;) {
    const answer = await attempt(sender, body, idempotencyKey);
    if (!('why' in answer)) return answer;
    if (performance.now() + answer.waitMs > deadline) {
      const seconds = Math.round(sender.patienceMs / 1_000);
      throw new Stopped(`Gave up after ${seconds} s: ${answer.why}. Run the command again to continue`);
    }
    await after(answer.waitMs);
  }
}

async function attempt(
  { url, headers, send }: Sender,
  body: Buffer,
  idempotencyKey: string,
): Promise<BatchAnswer | Later> {
  try {
    const response = await send(url + ingestBatch.path, {
      method: ingestBatch.method,
      headers: { ...headers, 'content-type': NDJSON, 'idempotency-key': idempotencyKey },
      body,
    });
    return answerOf(response, await response.text());
  } catch (error) {
    if (error instanceof Stopped) throw error;
    // The connection broke, perhaps in the middle of a response: a retry with the same key finds what was accepted.
    return { why: `No service answers at ${url} (${reasonOf(error)})`, waitMs: 1_000 * DEFAULT_WAIT_SECONDS };
  }
}

function answerOf(response: Response, text: string): BatchAnswer | Later {
  const { status, headers, url } = response;
  const waitMs = 1_000 * Number(headers.get('retry-after') ?? DEFAULT_WAIT_SECONDS);
  const body = parsed(text);
  if (body === null) {
    const why = `${url} is not this service (status ${status})`;
    if (RETRYABLE_STATUSES.includes(status)) return { why, waitMs };
    throw new Stopped(why);
  }
  if ('data' in body) {
    const unstored = body.data.find((item) => 'error' in item && item.error.statusCode === UNAVAILABLE);
    if (unstored === undefined || !('error' in unstored))
      return { items: body.data, replayed: headers.has('idempotent-replayed') };
    return { why: refusalText(unstored.error.message, UNAVAILABLE, unstored.error.code), waitMs };
  }
  const why = refusalText(body.message, status, body.code);
  if (RETRYABLE_STATUSES.includes(status)) return { why, waitMs };
  throw new Stopped(why);
}

/** Null when the response is not the service's, but for example a proxy's. */
function parsed(text: string): AcceptedBatch | RefusedBatch | ErrorBody | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
