import { setTimeout as after } from 'node:timers/promises';
import { type AcceptedBatch, NDJSON, type RefusedBatch } from '../../schemas/api/audit-batch.ts';
import type { ErrorBody } from '../../schemas/api/errors.ts';

type ItemAnswer = AcceptedBatch['data'][number];

export interface BatchAnswer {
  /** In the order of the lines. */
  readonly items: readonly ItemAnswer[];
  /** The service remembered the answer: these audits were there before. */
  readonly replayed: boolean;
}

export interface Sender {
  readonly url: string;
  /** Go with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long one batch is repeated for while the service cannot take it, ms. */
  readonly patienceMs: number;
}

/** Nothing more can be sent now. The message says why and what to do. */
export class Stopped extends Error {
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
const LATER: readonly number[] = [408, 409, 429, 500, 502, 503, 504];
const UNAVAILABLE = 503;
const DEFAULT_WAIT_SECONDS = 1;
const NEW_LINE = Buffer.from('\n');

/**
 * Sends a batch of lines under an Idempotency-Key until each has a final answer. While the service is busy, or could
 * not store some of them, the whole batch is sent again, which ingests nothing twice. Throws `Stopped` when patience
 * ends or the service refuses the batch as a whole.
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
      throw new Stopped(`for ${seconds} s: ${answer.why}. Run the command again to go on`);
    }
    await after(answer.waitMs);
  }
}

async function attempt(
  { url, headers }: Sender,
  body: Buffer,
  idempotencyKey: string,
): Promise<BatchAnswer | Later> {
  try {
    const response = await fetch(`${url}/audit/ingest/batch`, {
      method: 'POST',
      headers: { ...headers, 'content-type': NDJSON, 'idempotency-key': idempotencyKey },
      body,
    });
    return answerOf(response, await response.text());
  } catch (error) {
    if (error instanceof Stopped) throw error;
    // A connection that breaks, also in the middle of an answer: what was accepted is found again by its key.
    const { cause, message } = error as Error;
    const reason = (cause as { code?: string } | undefined)?.code ?? message;
    return { why: `no service answers at ${url} (${reason})`, waitMs: 1_000 * DEFAULT_WAIT_SECONDS };
  }
}

function answerOf(response: Response, text: string): BatchAnswer | Later {
  const { status, headers, url } = response;
  const waitMs = 1_000 * Number(headers.get('retry-after') ?? DEFAULT_WAIT_SECONDS);
  const body = parsed(text);
  if (body === null) {
    const why = `${url} answered ${status}, not as this service does`;
    if (LATER.includes(status)) return { why, waitMs };
    throw new Stopped(why);
  }
  if ('data' in body) {
    const unstored = body.data.find((item) => 'error' in item && item.error.statusCode === UNAVAILABLE);
    if (unstored === undefined || !('error' in unstored))
      return { items: body.data, replayed: headers.has('idempotent-replayed') };
    return { why: `items of a batch were answered with ${UNAVAILABLE}: ${unstored.error.message}`, waitMs };
  }
  const why = `the service answered ${status} ${body.code}: ${body.message}`;
  if (LATER.includes(status)) return { why, waitMs };
  throw new Stopped(why);
}

/** Null: something else stands at the address, such as a proxy. */
function parsed(text: string): AcceptedBatch | RefusedBatch | ErrorBody | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
