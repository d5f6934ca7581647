import { setTimeout } from 'node:timers/promises';
import { RequestFailed } from '../../cli/command/client.ts';
import { customerClient, triplet } from './customer.ts';
import { eventually } from './eventually.ts';

export interface Load {
  /** Idempotency key -> audit id, for every 202. */
  readonly accepted: Map<string, string>;
  /** Sent keys without a 202 yet. */
  readonly unanswered: Set<string>;
}

export const createLoad = (): Load => ({ accepted: new Map(), unanswered: new Set() });

const numberOf = (key: string): number => Number(key.split('-').at(-1));

/** Whether the outcome is unknown: the connection broke, or the request was refused temporarily. A retry shows. */
export const isUnanswered = (error: unknown): boolean =>
  (error instanceof RequestFailed &&
    (error.statusCode === null || [409, 429, 503].includes(error.statusCode))) ||
  // A killed server also truncates responses.
  error instanceof TypeError ||
  error instanceof SyntaxError;

/** Sends one triplet under its key; a 202 moves it to `accepted`. Returns whether it got a 202. */
export async function sendOne(
  load: Load,
  url: string,
  apiKey: string,
  slug: string,
  key: string,
): Promise<boolean> {
  load.unanswered.add(key);
  try {
    const answer = await customerClient(url, apiKey).request(
      'POST',
      '/audit/ingest',
      triplet(slug, numberOf(key)),
      {
        'idempotency-key': key,
      },
    );
    const auditId = String(answer.body.auditId);
    const before = load.accepted.get(key);
    if (before !== undefined && before !== auditId)
      throw new Error(`key ${key} gave two audits: ${before}, ${auditId}`);
    load.accepted.set(key, auditId);
    load.unanswered.delete(key);
    return true;
  } catch (error) {
    if (isUnanswered(error)) return false;
    throw error;
  }
}

const WORKERS = 8;
/** Keeps something in flight at all times; more would only lengthen the end of a test. */
const PAUSE_MS = 40;
const ANSWERED_WITHIN_MS = 120_000;
/**
 * A server that is down refuses immediately: without a pause, one second would leave thousands of requests to repeat.
 */
export const PAUSE_AFTER_FAILURE_MS = 100;

/** Sends load until `stop` is called, which then repeats every key until it has its 202. */
export function startLoad(load: Load, url: string, apiKey: string, slug: string): { stop(): Promise<void> } {
  let running = true;
  const worker = async (name: number): Promise<void> => {
    for (let next = 0; running; next += 1) {
      const answered = await sendOne(load, url, apiKey, slug, `w${name}-${next}`);
      await setTimeout(answered ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS);
    }
  };
  const workers = Promise.all(Array.from({ length: WORKERS }, (_, name) => worker(name)));
  return {
    stop: async () => {
      running = false;
      await workers;
      await eventually('every request is answered', ANSWERED_WITHIN_MS, async () => {
        for (const key of [...load.unanswered]) await sendOne(load, url, apiKey, slug, key);
        return load.unanswered.size === 0 ? true : undefined;
      });
    },
  };
}
