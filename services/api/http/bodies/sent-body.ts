import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { canonicalJson, canonicalMembers } from '#core/evidence/canonical-json.ts';
import { REMEMBERED_BYTES } from '#core/plans/plans.ts';
import { invalid } from '#platform/flow/refusal.ts';
import type { IdempotencyKey } from '#platform/state/port.ts';
import type { SentJson, SentObject } from '../../operations/sent-json.ts';
import type { Body } from './body.ts';
import { MEMORY_PER_VALUE } from './body-budget.ts';

/** The body as sent, before unknown fields are dropped. Each form is computed on demand. */
export interface SentBody {
  /** The bytes with their media type, for a contract with `rawBody`. */
  raw(): Body;
  canonical(): string;
  /** Same, for a body that is an object, with its members. */
  canonicalObject(): SentObject;
  /** Counts the memory of an answer with many values; throws if there is no room for it. */
  hold(values: number): void;
  /**
   * The request's Idempotency-Key with the digest of its body; null if it has no key. `digested`: the input of the
   * digest (default: the canonical JSON).
   */
  idempotency(digested?: string | Buffer): IdempotencyKey | null;
}

/** The value from which a body's fields are read. */
export const withReferences = ({ value, media }: SentJson): unknown =>
  media === null ? value : media.withReferences(value);

export class ArrivedBody implements SentBody {
  readonly #request: FastifyRequest;
  readonly #sent: SentJson;
  readonly #raw: Body | null;
  #text: string | undefined;
  #object: SentObject | undefined;

  constructor(request: FastifyRequest, sent: SentJson, raw: Body | null) {
    this.#request = request;
    this.#sent = sent;
    this.#raw = raw;
  }

  canonical(): string {
    if (this.#text === undefined) {
      this.#text = canonicalJson(this.#sent.value);
    }
    return this.#text;
  }

  canonicalObject(): SentObject {
    if (this.#object === undefined) {
      const { value, media } = this.#sent;
      const { text, members } = canonicalMembers(value as object);
      this.#object = { text, members, media };
      this.#text = this.#object.text;
    }
    return this.#object;
  }

  #identity(): string {
    const text = this.canonical();
    return this.#sent.media === null ? text : this.#sent.media.identity(text);
  }

  raw(): Body {
    if (this.#raw === null) throw new Error('the contract of this route does not set rawBody');
    return this.#raw;
  }

  hold(values: number): void {
    this.#request.heldBody?.take(values * MEMORY_PER_VALUE);
  }

  idempotency(digested?: string | Buffer): IdempotencyKey | null {
    return idempotencyKey(this.#request, () => digested ?? this.#identity());
  }
}

const sha256 = (text: string | Buffer): string => hash('sha256', text);

/** Bare and quoted spellings are the same key. A key is scoped to one method and path of one customer. */
function idempotencyKey(request: FastifyRequest, digested: () => string | Buffer): IdempotencyKey | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const text = String(header);
  const key = /^"(.*)"$/s.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', 'use 1 to 255 printable ASCII characters');
  }
  const path = request.url.split('?', 1)[0];
  const named = { key: sha256(`${request.method} ${path}\n${key}`), bodyDigest: sha256(digested()) };
  if (request.caller === null) return named;
  return { ...named, budgetBytes: REMEMBERED_BYTES[request.caller.customer.plan] };
}
