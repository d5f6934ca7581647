import http from 'node:http';
import type { TestCustomer } from '../helpers/customer.ts';
import { triplet } from '../helpers/customer.ts';

/** Measurements of one phase of the good customer's work, in ms from when a request was due until its answer ended. */
export interface Stretch {
  /** Ascending. */
  readonly latenciesMs: readonly number[];
  /** The slowest requests with their times, as a hint where to look. */
  readonly slowest: readonly string[];
  /** Every failed answer and every request without an answer. */
  readonly faults: readonly string[];
}

export interface GoodCustomer {
  /** Idempotency key -> audit id, for every 202. */
  readonly accepted: ReadonlyMap<string, string>;
  /** Works for this time; resolves when every request is answered. */
  work(seconds: number): Promise<Stretch>;
  close(): void;
}

const RATE_PER_SECOND = 20;
/** Timeout of an ordinary client. */
const NO_ANSWER_MS = 15_000;
const SLOWEST = 4;
/** Every n-th request uses a new connection, like a client that has just started. */
const NEW_CONNECTION_EVERY = 5;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with the body of a successful answer. */
  readonly onAnswer?: (body: string) => void;
}

const nameOf = ({ method, path }: Pick<Asked, 'method' | 'path'>): string =>
  `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`;

/**
 * A customer that sends various requests at fixed times regardless of the answers (open loop): latency counts from when
 * a request was due, even if it is sent late or waits for a stall.
 */
export function createGoodCustomer(url: string, { key }: TestCustomer, slug: string): GoodCustomer {
  const accepted = new Map<string, string>();
  const agent = new http.Agent({ keepAlive: true });
  let number = 0;
  let lastAuditId: string | null = null;

  const ingest = (mine: number): Asked => ({
    method: 'POST',
    path: '/audit/ingest',
    body: triplet(slug, mine),
    headers: { 'idempotency-key': `good-${mine}` },
    onAnswer: (body) => {
      lastAuditId = (JSON.parse(body) as { auditId: string }).auditId;
      accepted.set(`good-${mine}`, lastAuditId);
    },
  });
  const scan = (mine: number): Asked => ({
    method: 'POST',
    path: '/guardian/scan',
    body: {
      sandbox: slug,
      userInput: `Is ann.example.${mine}@example.org at home, or under +49 30 1234567?`,
    },
  });
  const audit = (mine: number): Asked =>
    lastAuditId === null ? ingest(mine) : { method: 'GET', path: `/audits/${lastAuditId}` };
  const signals = (): Asked => ({ method: 'GET', path: '/dashboard/signals?limit=20' });
  const stats = (): Asked => ({ method: 'GET', path: '/dashboard/stats' });
  const mix = [ingest, scan, audit, ingest, signals, ingest, scan, audit, ingest, stats];

  const send = ({ method, path, body, headers, onAnswer }: Asked, mine: number): Promise<string | null> =>
    new Promise((resolve) => {
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const request = http.request(`${url}${path}`, {
        method,
        agent: mine % NEW_CONNECTION_EVERY === 0 ? false : agent,
        timeout: NO_ANSWER_MS,
        headers: {
          'x-service-key': key,
          ...(bytes === null ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
          ...headers,
        },
      });
      const fault = (what: string): void => resolve(`${nameOf({ method, path })}: ${what}`);
      request.once('timeout', () => request.destroy(new Error(`no answer within ${NO_ANSWER_MS} ms`)));
      request.once('error', (error: Error) => fault(error.message));
      request.once('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => (text += piece));
        answer.once('error', (error: Error) => fault(error.message));
        answer.once('end', () => {
          const { statusCode = 0 } = answer;
          if (statusCode < 200 || statusCode > 299) return fault(`${statusCode} ${text.slice(0, 200)}`);
          onAnswer?.(text);
          resolve(null);
        });
      });
      request.end(bytes ?? undefined);
    });

  return {
    accepted,
    close: () => agent.destroy(),
    work: (seconds) => {
      const answered: { readonly what: string; readonly ms: number }[] = [];
      const faults: string[] = [];
      const total = Math.round(seconds * RATE_PER_SECOND);
      const startedAt = performance.now();
      const ask = async (index: number): Promise<void> => {
        const due = startedAt + (index * 1000) / RATE_PER_SECOND;
        const mine = number++;
        const asked = mix[mine % mix.length]!(mine);
        const fault = await send(asked, mine);
        if (fault === null) answered.push({ what: nameOf(asked), ms: performance.now() - due });
        else faults.push(fault);
      };
      return new Promise((resolve) => {
        const asked: Promise<void>[] = [];
        const tick = (): void => {
          const dueUntil = ((performance.now() - startedAt) / 1000) * RATE_PER_SECOND;
          while (asked.length < total && asked.length <= dueUntil) asked.push(ask(asked.length));
          if (asked.length < total) {
            const nextDue = startedAt + (asked.length * 1000) / RATE_PER_SECOND;
            setTimeout(tick, Math.max(0, nextDue - performance.now()));
            return;
          }
          void Promise.all(asked).then(() => {
            const sorted = answered.toSorted((a, b) => a.ms - b.ms);
            resolve({
              latenciesMs: sorted.map(({ ms }) => ms),
              slowest: sorted.slice(-SLOWEST).map(({ what, ms }) => `${what} ${ms.toFixed(0)}`),
              faults,
            });
          });
        };
        tick();
      });
    },
  };
}

/** Quantile `q` of the latencies. */
export const quantileMs = ({ latenciesMs }: Stretch, q: number): number =>
  latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(q * latenciesMs.length))] ??
  Number.POSITIVE_INFINITY;
