import { hash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { z } from 'zod';
import { type CanonicalObject, canonicalJson, canonicalMembers } from '#core/evidence/canonical-json.ts';
import { REMEMBERED_BYTES } from '#core/plans/plans.ts';
import { runSteps, timeSlice, type YieldTurn } from '#platform/flow/time-slice.ts';
import type { IdempotencyKey } from '#platform/state/port.ts';
import {
  type BodyOf,
  DEFAULT_BODY_LIMIT,
  type ParamsOf,
  type QueryOf,
  type RouteContract,
} from '#schemas/api/contract.ts';
import { ApiError, invalid } from '../errors.ts';
import type { RequestsUnderWay } from '../requests-under-way.ts';
import type { AuditorCaller } from './authentication/auditor-authentication.ts';
import type { Caller } from './authentication/authentication.ts';
import { type Body, checkNumbers, jsonInSteps, readBytes, refuseEncoded } from './bodies/body.ts';
import type { BodyAdmission } from './bodies/body-admission.ts';
import { MEMORY_PER_VALUE } from './bodies/body-budget.ts';
import { type Client, clientOf } from './client.ts';
import { sendStream, type Trailers } from './streams.ts';

type CallerOf<C extends RouteContract> = C['auth'] extends 'key' | 'session'
  ? Caller
  : C['auth'] extends 'auditor'
    ? AuditorCaller
    : null;

/** What a handler receives: everything already checked against the contract. */
interface Call<C extends RouteContract> {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly caller: CallerOf<C>;
  readonly sent: SentBody;
  /** What the client says that it takes: its Accept and Accept-Encoding. */
  readonly accepts: { readonly types: string; readonly encodings: string };
  readonly client: () => Client;
  /** The version in the request's If-Match; null: any. */
  readonly ifMatch: () => number | null;
  /** The request's Last-Event-ID, as it was sent; null: there is none. */
  readonly lastEventId: () => string | null;
  /** Fires when the client disconnects, and when the server closes: answer with what is there. */
  readonly gone: AbortSignal;
  /** Whether the client has disconnected, so that nobody waits for an answer. */
  readonly hasLeft: () => boolean;
}

/** The body as sent, before unknown fields were dropped. Each form is computed on demand. */
export interface SentBody {
  /** The bytes with their media type, for a contract with `rawBody`. */
  raw(): Body;
  canonical(): string;
  /** The same of a body that is an object, with its members. */
  canonicalObject(): CanonicalObject;
  /** Counts the memory of an answer with many values; throws when there is no room for it. */
  hold(values: number): void;
  /**
   * The request's Idempotency-Key with the digest of its body, or null without one. `digested`: the input of the digest
   * (default: the canonical JSON).
   */
  idempotency(digested?: string | Buffer): IdempotencyKey | null;
}

export interface Answer {
  /** Default: the contract's. */
  readonly statusCode?: number;
  /** A value that is serialised as JSON, or the text itself. */
  readonly body?: unknown;
  readonly text?: string;
  /** The same in UTF-8, for answers so long that encoding them in one go would take too long. */
  readonly bytes?: Buffer;
  /**
   * Sent as it is produced, with back-pressure. When it fails the connection is aborted, so that nobody takes the
   * answer for complete.
   */
  readonly stream?: Readable;
  /** Sent after a stream; each is computed when the stream has ended. */
  readonly trailers?: Trailers;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<C extends RouteContract> = (call: Call<C>) => Promise<Answer>;

type OnRequest = (request: FastifyRequest, reply: FastifyReply, contract: RouteContract) => Promise<void>;

/** How the server authenticates callers, per audience of a contract. */
type Guards = Readonly<Record<RouteContract['auth'], readonly OnRequest[]>>;

/** Adds routes to a server: the contract says what is checked, the handler what is done. */
export type AddRoute = <const C extends RouteContract>(contract: C, handler: Handler<C>) => void;

const NO_CONTENT = 204;
const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_TYPES: readonly string[] = ['application/json'];

export function routesOf(
  app: FastifyInstance,
  guards: Guards,
  bodies: BodyAdmission,
  requests: Pick<RequestsUnderWay, 'during'> | null,
): AddRoute {
  // One time slice for all bodies: with one each, ten of them would hold up the event loop ten times as long.
  const yieldTurn = timeSlice(() => performance.now());
  // Held answers must not delay the server's shutdown.
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  return (contract, handler) => {
    app.route({
      method: contract.method,
      url: contract.path,
      bodyLimit: contract.bodyLimitBytes ?? DEFAULT_BODY_LIMIT,
      onRequest: [
        keepPrivate(contract),
        ...guards[contract.auth].map(
          (guard) => (request: FastifyRequest, reply: FastifyReply) => guard(request, reply, contract),
        ),
        ...(contract.method === 'GET' ? [] : [bodies.admit]),
      ],
      handler: async (request, reply) => {
        const work = async (): Promise<Answer> => {
          const { body } = request;
          const charged = Buffer.isBuffer(body) ? bodies.charge(request, reply, body.length) : null;
          if (charged !== null) await charged;
          return handler(await readCall(contract, request, reply, { closing: closing.signal, yieldTurn }));
        };
        const { caller, heldBody } = request;
        let answer: Answer;
        heldBody?.begin();
        try {
          answer = await (caller === null || requests === null
            ? work()
            : requests.during(caller.customerId, work));
        } finally {
          // Not until the answer was sent: a client that disconnects early leaves work behind that still runs.
          heldBody?.end();
        }
        reply.code(answer.statusCode ?? contract.successStatus);
        const hasContent = reply.statusCode !== NO_CONTENT;
        if (hasContent) reply.header('content-type', contract.mediaTypes?.[0] ?? JSON_TYPE);
        // Behind the contract's type: an operation may answer another of its types.
        if (answer.headers !== undefined) reply.headers({ ...answer.headers });
        if (!hasContent) return reply.send();
        if (answer.stream) return sendStream(request, reply, answer.stream, answer.trailers);
        return reply.send(answer.bytes ?? answer.text ?? JSON.stringify(answer.body));
      },
    });
  };
}

/** Caches know by themselves that an answer to Authorization is private, but do not know our headers. */
function keepPrivate(contract: RouteContract): onRequestHookHandler {
  const value = contract.noStore ? 'no-store' : contract.auth === 'none' ? null : 'private, no-cache';
  return (_request, reply, done) => {
    if (value !== null) reply.header('cache-control', value);
    done();
  };
}

/** The checks of a request's content, in their documented order: type, JSON, fields. */
async function readCall<C extends RouteContract>(
  contract: C,
  request: FastifyRequest,
  reply: FastifyReply,
  { closing, yieldTurn }: { readonly closing: AbortSignal; readonly yieldTurn: YieldTurn },
): Promise<Call<C>> {
  refuseEncoded(request);
  const body = contract.body ? readBytes(request, contract.bodyTypes ?? JSON_TYPES) : null;
  const raw = contract.rawBody ? body : null;
  const sent = body === null || raw !== null ? undefined : await runSteps(jsonInSteps(body), yieldTurn);
  refuseDuplicates(request.query as Record<string, unknown>);
  const checked = {
    params: contract.params ? check(contract.params, request.params) : undefined,
    query: contract.query ? check(contract.query, request.query) : undefined,
    body: contract.body && raw === null ? check(contract.body, sent) : undefined,
  };
  const call: unknown = new CheckedCall(
    checked,
    request,
    reply,
    closing,
    new ArrivedBody(request, sent, raw),
  );
  return call as Call<C>;
}

/** A class, because a literal object with a getter is built anew, property by property, for each request. */
class CheckedCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller | AuditorCaller | null;
  readonly sent: SentBody;
  readonly client: () => Client;
  readonly ifMatch: () => number | null;
  readonly lastEventId: () => string | null;
  readonly hasLeft: () => boolean;
  readonly #reply: FastifyReply;
  readonly #closing: AbortSignal;
  #gone: AbortSignal | undefined;

  constructor(
    { params, query, body }: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
    request: FastifyRequest,
    reply: FastifyReply,
    closing: AbortSignal,
    sent: SentBody,
  ) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.caller = request.caller;
    this.sent = sent;
    this.client = () => clientOf(request);
    this.ifMatch = () => seenVersion(request.headers['if-match']);
    this.lastEventId = () => lastEventId(request.headers['last-event-id']);
    this.hasLeft = () => request.raw.socket.destroyed;
    this.#reply = reply;
    this.#closing = closing;
  }

  get accepts(): { readonly types: string; readonly encodings: string } {
    const { accept, 'accept-encoding': encodings } = this.#reply.request.headers;
    return { types: accept ?? '', encodings: String(encodings ?? '') };
  }

  /** Created on demand, and once: each listens to the answer. */
  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.#reply, this.#closing);
    return this.#gone;
  }
}

function refuseDuplicates(query: Record<string, unknown>): void {
  for (const name of Object.keys(query)) {
    if (Array.isArray(query[name])) throw invalid(name, 'give this parameter once only');
  }
}

const MAX_DETAILS = 20;

/** A missing field is called that, and not "undefined", which does not exist in JSON. */
const sayRequired = (issue: {
  readonly code?: string | undefined;
  readonly input?: unknown;
}): string | undefined =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined
    ? 'this field is required'
    : undefined;

/** The value as the schema parses it; throws INVALID_REQUEST with all of its faults. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  // The library takes several times as long with messages of ours, so only what is refused is parsed with them.
  const plain = schema.safeParse(value);
  if (plain.success) return plain.data;
  const parsed = schema.safeParse(value, { error: sayRequired });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }));
  const first = details[0];
  const message = first ? `${first.path === '' ? 'body' : first.path}: ${first.message}` : undefined;
  throw new ApiError('INVALID_REQUEST', { details, ...(message === undefined ? {} : { message }) });
}

class ArrivedBody implements SentBody {
  readonly #request: FastifyRequest;
  readonly #value: unknown;
  readonly #raw: Body | null;
  #text: string | undefined;
  #object: CanonicalObject | undefined;

  constructor(request: FastifyRequest, value: unknown, raw: Body | null) {
    this.#request = request;
    this.#value = value;
    this.#raw = raw;
  }

  canonical(): string {
    if (this.#text === undefined) {
      checkNumbers(this.#value);
      this.#text = canonicalJson(this.#value);
    }
    return this.#text;
  }

  canonicalObject(): CanonicalObject {
    if (this.#object === undefined) {
      checkNumbers(this.#value);
      this.#object = canonicalMembers(this.#value as object);
      this.#text = this.#object.text;
    }
    return this.#object;
  }

  raw(): Body {
    if (this.#raw === null) throw new Error('the contract of this route has no rawBody');
    return this.#raw;
  }

  hold(values: number): void {
    this.#request.heldBody?.take(values * MEMORY_PER_VALUE);
  }

  idempotency(digested?: string | Buffer): IdempotencyKey | null {
    return idempotencyKey(this.#request, () => digested ?? this.canonical());
  }
}

const sha256 = (text: string | Buffer): string => hash('sha256', text);

/** Bare and quoted spellings are the same key; it is scoped to one method and path of one customer. */
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

/** Quoted, as the standard has it, or bare; `*` and no header stand for any version. */
function seenVersion(header: string | undefined): number | null {
  if (header === undefined || header === '*') return null;
  const [, quoted, bare] = /^(?:"(\d{1,9})"|(\d{1,9}))$/.exec(header) ?? [];
  const version = quoted ?? bare;
  if (version === undefined) throw invalid('If-Match', 'send the version of the record, in quotes');
  return Number(version);
}

/** Browsers send an empty one when they were never given an id. */
const lastEventId = (header: string | string[] | undefined): string | null =>
  header === undefined || header === '' ? null : String(header);

function goneSignal(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  closing.addEventListener('abort', abort, { once: true });
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', abort);
    abort();
  });
  if (closing.aborted) abort();
  return controller.signal;
}
