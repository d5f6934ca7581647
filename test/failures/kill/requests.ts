import { type Client, createClient, RequestFailed } from '../../../cli/command/client.ts';
import { customerClient } from '../../helpers/customer.ts';
import { isUnanswered } from '../../helpers/load.ts';
import type { TestService } from '../../helpers/service.ts';

/** A change request that may be sent any number of times and takes effect once. */
export interface Request {
  /** Unique. */
  readonly name: string;
  readonly caller: 'customer' | 'internal';
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** `header`: the name is sent as Idempotency-Key. `request`: the request's content identifies it. */
  readonly once: 'header' | 'request';
}

/** Clients with the addresses of this round's service. */
export interface Callers {
  readonly customer: Client;
  readonly internal: Client;
}

export const callersOf = (
  service: Pick<TestService, 'url' | 'internalSecret'>,
  customerKey: string,
): Callers => ({
  customer: customerClient(service.url, customerKey),
  internal: createClient(service.url, { 'x-internal-secret': service.internalSecret }),
});

/** Requests over all rounds: answered ones are recorded, the others are repeated. */
export interface Requests {
  /** Name -> body of the first answer. */
  readonly answered: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly unanswered: ReadonlyMap<string, Request>;
  /** The number of unanswered requests, and the first of them with the error of their last attempt, one per line. */
  whyUnanswered(): string;
  /** Resolves to the response body, or to null without a response. Rejects on a response that must not occur. */
  send(callers: Callers, request: Request): Promise<Readonly<Record<string, unknown>> | null>;
}

/** Maximum number of unanswered requests listed singly. */
const MAX_LISTED = 5;

export function createRequests(): Requests {
  const answered = new Map<string, Readonly<Record<string, unknown>>>();
  const unanswered = new Map<string, Request>();
  const refusals = new Map<string, string>();
  return {
    answered,
    unanswered,
    whyUnanswered: () => {
      const first = [...unanswered.keys()].slice(0, MAX_LISTED);
      const lines = first.map((name) => `${name}: ${refusals.get(name) ?? 'no answer yet'}`);
      return [`${unanswered.size} unanswered`, ...lines].join('\n');
    },
    async send(callers, request) {
      const { name, caller, method, path, body, once } = request;
      if (!answered.has(name)) unanswered.set(name, request);
      const sentAt = performance.now();
      try {
        const headers = once === 'header' ? { 'idempotency-key': name } : {};
        const answer = await callers[caller].request(method, path, body, headers);
        const before = answered.get(name);
        if (before === undefined) answered.set(name, answer.body);
        else if (idOf(before) !== idOf(answer.body))
          throw new Error(`${name} was answered as two: ${idOf(before)} and ${idOf(answer.body)}`);
        unanswered.delete(name);
        refusals.delete(name);
        return answer.body;
      } catch (error) {
        // Without a key in a header attempts never collide: a conflict means another body under the id.
        const isConflict = error instanceof RequestFailed && error.statusCode === 409 && once === 'request';
        refusals.set(name, `${(error as Error).message}, after ${Math.round(performance.now() - sentAt)} ms`);
        if (!isConflict && isUnanswered(error)) return null;
        throw error;
      }
    },
  };
}

/** The id of the created record, with or without an envelope. */
function idOf(body: Readonly<Record<string, unknown>>): unknown {
  const made = (body.data ?? body) as Readonly<Record<string, unknown>>;
  return made.auditId ?? made.id;
}
