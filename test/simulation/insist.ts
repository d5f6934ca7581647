import { createHash } from 'node:crypto';
import { canonicalJson, canonicalMembers } from '#core/evidence/canonical-json.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { IdempotencyKey } from '#platform/state/port.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { apiKeyHash } from '#records/keys/api-keys.ts';
import type { SentBody } from '#services/api/http/bodies/sent-body.ts';
import { statusOf } from '#services/api/http/errors/refusals.ts';
import { type Done, onceOf } from '#services/api/http/idempotently.ts';
import type { Answer } from '#services/api/http/route.ts';
import { type Caller, callerByKey } from '#services/api/operations/caller.ts';
import type { Once } from '#services/api/operations/once.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import type { ApiNode } from './nodes/api.ts';
import type { Operation } from './plan.ts';
import type { Promised } from './promises.ts';

/** The operations that a client calls, without HTTP. */
export type Api = ApiNode['dependencies'];

/** A customer, with what its own users know. */
export interface KnownCustomer {
  readonly id: string;
  readonly key: string;
  readonly sandbox: { readonly id: string; readonly slug: string };
  /** Ids of additional keys. */
  readonly keyIds: string[];
  readonly policyIds: string[];
  /** Ids of retention policies and legal holds. */
  readonly retentionIds: string[];
}

export interface ClientDependencies {
  /** An API process that accepts requests, or null. */
  readonly api: () => Api | null;
  readonly promised: Promised;
  /** Stored data at the time of an answer, for comparison with it. */
  readonly store: MemoryStore;
  readonly customers: KnownCustomer[];
  readonly note: (who: string, what: string) => void;
  /** Monotonic ms. */
  readonly now: () => number;
}

const ANSWER_WITHIN_MS = 20_000;
export const MAX_ATTEMPTS = 6;
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** A body as a client sends it, with its Idempotency-Key. */
export function sentBody(body: unknown, key: string | null): SentBody {
  const canonical = canonicalJson(body);
  return {
    canonical: () => canonical,
    canonicalObject: () => ({ ...canonicalMembers(body as object), media: null }),
    hold: () => undefined,
    raw: () => ({
      bytes: Buffer.from(JSON.stringify(body)),
      mediaType: 'application/json',
      hold: () => undefined,
    }),
    idempotency: (digested = canonical) =>
      key === null ? null : { key: sha256(key), bodyDigest: sha256(digested) },
  };
}

export const bodyOf = <Body>({ body, text }: Answer): Body =>
  (body === undefined ? JSON.parse(String(text ?? '')) : body) as Body;

/**
 * Sends a request until it is answered, like a client with something to lose: repeats it without an answer or after a
 * 503. Null: given up.
 */
export async function insist<Result>(
  dependencies: ClientDependencies,
  what: string,
  attempts: number,
  send: (api: Api) => Promise<Result>,
): Promise<Result | null> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const api = dependencies.api();
    if (api !== null) {
      const late = wait(ANSWER_WITHIN_MS).then((): 'late' => 'late');
      const answer = await Promise.race([
        send(api).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        ),
        late,
      ]);
      if (answer === 'late') dependencies.note('client', `${what}: no answer`);
      else if ('value' in answer) return answer.value;
      else {
        const { error } = answer;
        dependencies.note(
          'client',
          `${what}: ${error instanceof Refusal ? error.code : (error as Error).name}`,
        );
        if (error instanceof Refusal && statusOf(error) < 500 && statusOf(error) !== 409) return null;
      }
    }
    await wait(500 * attempt);
  }
  return null;
}

/** Authenticates the caller, as the server does before it reads a body. */
export async function callerOf(api: Api, key: string): Promise<Caller> {
  const found = await api.state.admission.authenticate(apiKeyHash(key));
  if (found.outcome === 'unknown' || !found.customer.active) throw new Refusal('INVALID_KEY');
  if (found.outcome === 'limited') throw new Refusal('RATE_LIMITED');
  return callerByKey(found.customerId, found.customer as CustomerRecord, found.keyId);
}

export const keyOf = (operation: Operation): IdempotencyKey => ({
  key: `key-${operation.dice}`,
  bodyDigest: `body-${operation.dice}`,
});

/** Sends an operation's request until it is answered or given up. */
export type Request = (
  dependencies: ClientDependencies,
  customer: KnownCustomer,
  operation: Operation,
) => Promise<unknown>;

/** The server's idempotency context for a request with this key. */
export const under = <Made>(
  api: Parameters<typeof onceOf>[0],
  scope: string,
  key: IdempotencyKey | null,
  done: (made: Made) => Done,
): Once<Made, Answer> => onceOf(api)(scope, { idempotency: () => key }, done);
