import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { invalid } from '#platform/flow/refusal.ts';
import { runSteps, timeSlice, type YieldTurn } from '#platform/flow/time-slice.ts';
import {
  type BodyOf,
  DEFAULT_BODY_LIMIT,
  type ParamsOf,
  type QueryOf,
  type RouteContract,
} from '#schemas/api/contract.ts';
import { shownName } from '#schemas/nearest-name.ts';
import type { AuditorCaller, Caller } from '../operations/caller.ts';
import type { RequestsInProgress } from '../operations/requests-in-progress.ts';
import type { HeldRights } from '../operations/rights/held-rights.ts';
import type { SentJson } from '../operations/sent-json.ts';
import { type Client, clientOf } from './authentication/client.ts';
import { type Body, checkedType, jsonInSteps, mediaJsonInSteps, readBytes } from './bodies/body.ts';
import type { BodyAdmission } from './bodies/body-admission.ts';
import { isGzip } from './bodies/content-encoding.ts';
import { inflate } from './bodies/inflate.ts';
import { ArrivedBody, type SentBody, withReferences } from './bodies/sent-body.ts';
import { COMPRESSED_FROM, encoded, isCompressible } from './compressed.ts';
import { check, checkNone } from './errors/check.ts';
import type { ExplainMissing } from './errors/explain-missing.ts';
import { confirmRight, holdRight } from './request-right.ts';
import { sendStream, type Trailers } from './streams.ts';

type CallerOf<C extends RouteContract> = C['auth'] extends 'key' | 'session'
  ? Caller
  : C['auth'] extends 'auditor'
    ? AuditorCaller
    : null;

/** What a handler receives; everything is already checked against the contract. */
interface Call<C extends RouteContract> {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly caller: CallerOf<C>;
  readonly sent: SentBody;
  /** The request's Accept and Accept-Encoding. */
  readonly accepts: { readonly types: string; readonly encodings: string };
  readonly client: () => Client;
  /** The version in the request's If-Match; null: any. */
  readonly ifMatch: () => number | null;
  /** The request's Last-Event-ID, as sent; null: none. */
  readonly lastEventId: () => string | null;
  /** Fires when the client disconnects and when the server closes: answer with what is available. */
  readonly gone: AbortSignal;
  /** Whether the client has disconnected, so no one waits for the answer. */
  readonly hasLeft: () => boolean;
  /** Await this after a wait: it rejects if the caller's right has ended meanwhile. null: it was checked just now. */
  readonly confirmRight: () => Promise<void> | null;
}

export interface Answer {
  /** Default: the contract's. */
  readonly statusCode?: number;
  /** A value to serialise as JSON, or the text itself. */
  readonly body?: unknown;
  readonly text?: string;
  /** Same, in UTF-8, for answers too long to encode in one go. */
  readonly bytes?: Buffer;
  /**
   * Sent as it is produced, with back-pressure. If it fails the connection is aborted, so no client takes the answer
   * for complete.
   */
  readonly stream?: Readable;
  /** Ends the stream as a complete answer when the caller's right ends; without it the stream is broken off. */
  readonly endStream?: () => void;
  /** Sent after a stream; each is computed when the stream ends. */
  readonly trailers?: Trailers;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<C extends RouteContract> = (call: Call<C>) => Promise<Answer>;

type OnRequest = (request: FastifyRequest, reply: FastifyReply, contract: RouteContract) => Promise<void>;

/** How the server authenticates callers, per audience of a contract. */
type Guards = Readonly<Record<RouteContract['auth'], readonly OnRequest[]>>;

interface RouteOptions {
  readonly guards: Guards;
  readonly bodies: BodyAdmission;
  readonly requests: Pick<RequestsInProgress, 'during'> | null;
  readonly rights: HeldRights;
  /** Adds details about what was not found. */
  readonly explain: ExplainMissing;
}

/** Adds routes to a server: the contract says what to check, the handler what to do. */
export type AddRoute = <const C extends RouteContract>(contract: C, handler: Handler<C>) => void;

const NO_CONTENT = 204;
const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_TYPES: readonly string[] = ['application/json'];

export function routesOf(
  app: FastifyInstance,
  { guards, bodies, requests, rights, explain }: RouteOptions,
): AddRoute {
  // One time slice for all bodies: with one each, ten bodies would block the event loop ten times as long.
  const yieldTurn = timeSlice(() => performance.now());
  // Waiting answers must not delay the server's shutdown.
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  return (contract, handler) => {
    const mayCompress = isCompressible(contract);
    app.route({
      method: contract.method,
      url: contract.path,
      bodyLimit: contract.bodyLimitBytes ?? DEFAULT_BODY_LIMIT,
      onRequest: [
        keepPrivate(contract),
        ...guards[contract.auth].map(
          (guard) => (request: FastifyRequest, reply: FastifyReply) => guard(request, reply, contract),
        ),
        noteAdmission,
        ...(contract.method === 'GET' ? [] : [bodies.admit]),
      ],
      handler: async (request, reply) => {
        const work = async (): Promise<Answer> => {
          const { body } = request;
          const charged = Buffer.isBuffer(body) ? bodies.charge(request, reply, body.length) : null;
          if (charged !== null) await charged;
          const reading = { closing: closing.signal, yieldTurn, bodies, rights };
          const call = await readCall(contract, request, reply, reading);
          // The body may have taken long to arrive.
          const confirmed = call.confirmRight();
          if (confirmed !== null) await confirmed;
          const answer = await handler(call).catch((error: unknown) => explain(error, contract, call));
          // A write is answered even if the right has ended; a stream is checked while it is sent.
          const isRead = contract.method === 'GET' && answer.stream === undefined;
          const stillHeld = isRead ? call.confirmRight() : null;
          if (stillHeld !== null) await stillHeld;
          return answer;
        };
        const { caller, heldBody } = request;
        let answer: Answer;
        heldBody?.begin();
        try {
          answer = await (caller === null || requests === null
            ? work()
            : requests.during(caller.customerId, work));
        } finally {
          // Not when the answer is sent: if a client disconnects early, its work still runs.
          heldBody?.end();
        }
        reply.code(answer.statusCode ?? contract.successStatus);
        const hasContent = reply.statusCode !== NO_CONTENT;
        if (hasContent) reply.header('content-type', contract.mediaTypes?.[0] ?? JSON_TYPE);
        // Overrides the contract's type: an operation may answer another of its types.
        if (answer.headers !== undefined) reply.headers({ ...answer.headers });
        if (!hasContent) return reply.send();
        if (answer.stream) {
          await holdRight(rights, reply, answer.stream, answer.endStream);
          return sendStream(request, reply, answer.stream, answer.trailers);
        }
        return sendContent(request, reply, answer, mayCompress);
      },
    });
  };
}

async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, text, body }: Answer,
  mayCompress: boolean,
): Promise<FastifyReply> {
  const content = bytes ?? text ?? JSON.stringify(body);
  const isShort = !mayCompress || content.length < COMPRESSED_FROM;
  return reply.send(isShort ? content : await encoded(request, reply, content));
}

/** Caches know that an answer to Authorization is private, but do not know our headers. */
function keepPrivate(contract: RouteContract): onRequestHookHandler {
  const value = contract.noStore ? 'no-store' : contract.auth === 'none' ? null : 'private, no-cache';
  return (_request, reply, done) => {
    if (value !== null) reply.header('cache-control', value);
    done();
  };
}

const noteAdmission: onRequestHookHandler = (request, _reply, done) => {
  request.admittedAt = performance.now();
  done();
};

interface ReadingOptions {
  readonly rights: HeldRights;
  readonly closing: AbortSignal;
  readonly yieldTurn: YieldTurn;
  readonly bodies: BodyAdmission;
}

const NOTHING_SENT: SentJson = { value: undefined, media: null };

function* parsed(contract: RouteContract, body: Body): Generator<undefined, SentJson> {
  const { textLimitBytes } = contract;
  if (textLimitBytes !== undefined) return yield* mediaJsonInSteps(body, textLimitBytes);
  return { value: yield* jsonInSteps(body), media: null };
}

/** The body without its Content-Encoding. Bytes added by inflating are charged like bytes that were sent. */
async function bodyOf(
  contract: RouteContract,
  request: FastifyRequest,
  reply: FastifyReply,
  bodies: BodyAdmission,
): Promise<Body | null> {
  const isCompressed = isGzip(request, contract.bodyEncodings ?? []);
  if (contract.body === undefined) return null;
  const mediaType = checkedType(request, contract.bodyTypes ?? JSON_TYPES);
  const bytes = request.body as Buffer | undefined;
  if (!isCompressed || bytes === undefined || bytes.length === 0) return readBytes(request, bytes, mediaType);
  const limits = { bytes: request.routeOptions.bodyLimit, held: request.heldBody };
  const inflated = await inflate(bytes, limits);
  await bodies.chargeInflated(request, reply, { sent: bytes.length, inflated: inflated.length });
  return readBytes(request, inflated, mediaType);
}

/** The checks of a request's content, in their documented order: type, JSON, fields. */
async function readCall<C extends RouteContract>(
  contract: C,
  request: FastifyRequest,
  reply: FastifyReply,
  { closing, yieldTurn, bodies, rights }: ReadingOptions,
): Promise<Call<C>> {
  const body = await bodyOf(contract, request, reply, bodies);
  const raw = contract.rawBody ? body : null;
  const sent =
    body === null || raw !== null ? NOTHING_SENT : await runSteps(parsed(contract, body), yieldTurn);
  const checked = {
    params: contract.params ? check(contract.params, request.params) : undefined,
    query: checkedQuery(contract, request.query as Record<string, unknown>),
    body: contract.body && raw === null ? check(contract.body, withReferences(sent)) : undefined,
  };
  const call: unknown = new CheckedCall(
    checked,
    request,
    reply,
    { closing, rights },
    new ArrivedBody(request, sent, raw),
  );
  return call as Call<C>;
}

/** A class, because an object literal with a getter is rebuilt, property by property, for each request. */
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
  readonly confirmRight: () => Promise<void> | null;
  readonly #reply: FastifyReply;
  readonly #closing: AbortSignal;
  #gone: AbortSignal | undefined;

  constructor(
    { params, query, body }: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
    request: FastifyRequest,
    reply: FastifyReply,
    { closing, rights }: Pick<ReadingOptions, 'closing' | 'rights'>,
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
    this.confirmRight = () => confirmRight(rights, request);
    this.#reply = reply;
    this.#closing = closing;
  }

  get accepts(): { readonly types: string; readonly encodings: string } {
    const { accept, 'accept-encoding': encodings } = this.#reply.request.headers;
    return { types: accept ?? '', encodings: String(encodings ?? '') };
  }

  /** Created once, on demand, because each one listens to the answer. */
  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.#reply, this.#closing);
    return this.#gone;
  }
}

function checkedQuery({ query: schema, anyQuery }: RouteContract, query: Record<string, unknown>): unknown {
  if (anyQuery) return undefined;
  if (schema === undefined) return checkNone(query);
  for (const name in query) {
    if (Array.isArray(query[name])) throw invalid(shownName(name) ?? '*', 'must be given only once');
  }
  return check(schema, query, 'parameter');
}

/** Quoted, per the standard, or bare; `*` and no header mean any version. */
function seenVersion(header: string | undefined): number | null {
  if (header === undefined || header === '*') return null;
  const [, quoted, bare] = /^(?:"(\d{1,9})"|(\d{1,9}))$/.exec(header) ?? [];
  const version = quoted ?? bare;
  if (version === undefined) throw invalid('If-Match', 'must be the version of the record, in quotes');
  return Number(version);
}

/** Browsers send an empty one if they never received an id. */
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
