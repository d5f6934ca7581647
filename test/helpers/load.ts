import { setTimeout } from 'node:timers/promises';
import { RequestFailed } from '../../cli/command/client.ts';
import { customerClient, triplet } from './customer.ts';
import { eventually } from './eventually.ts';

export interface Load {
  /** Idempotency key -> audit id, for every 202 that was received. */
  readonly accepted: Map<string, string>;
  /** Keys that were sent and have no 202 yet. */
  readonly unanswered: Set<string>;
}

export const createLoad = (): Load => ({ accepted: new Map(), unanswered: new Set() });

const numberOf = (key: string): number => Number(key.split('-').at(-1));

/**
 * The request may or may not have been carried out: the connection broke, or it was refused for now. Sending it again
 * shows.
 */
export const isUnanswered = (error: unknown): boolean =>
  (error instanceof RequestFailed &&
    (error.statusCode === null || [409, 429, 503].includes(error.statusCode))) ||
  // A killed server also cuts off answers.
  error instanceof TypeError ||
  error instanceof SyntaxError;

/** Sends one triplet under its key; a 202 moves it to `accepted`. Returns whether it was answered with 202. */
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
/** Something is always in flight; more would only be analysed and verified at the end of a test. */
const PAUSE_MS = 40;
const ANSWERED_WITHIN_MS = 120_000;
/** A server that is down refuses at once: without a pause one second of that would leave thousands of requests to send again. */
export const PAUSE_AFTER_FAILURE_MS = 100;

/** Load until `stop` is called; afterwards every key is sent again until it has its 202. */
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
