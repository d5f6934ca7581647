import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { type LimitOverrides, NO_OVERRIDES, resolveLimits } from '#core/plans/plans.ts';
import { createDetection } from '#detection/detection.ts';
import { bundledCodec } from '#platform/codec/bundled.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import { flushOutbox } from '#platform/outbox/flush.ts';
import { packagesInFolder } from '#platform/packages/folder.ts';
import { documentSeals, sealedState } from '#platform/sealing/document-seals.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { loadSigningKey } from '#platform/sealing/signing-key.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type State } from '#platform/state/port.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { sandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import { checkedCollections } from '#records/testing/checked-collections.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { streamSignals } from '#schemas/api/stream.ts';
import type { Plan } from '#schemas/vocabulary.ts';
import { buildApp } from '../app.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import { withoutBasePath } from '../http/base-path.ts';
import { createBodyBudget } from '../http/bodies/body-budget.ts';
import { watchRights } from '../operations/rights/held-rights.ts';
import { answerCheckOf } from './answer-check.ts';
import { type MemoryLog, memoryLog } from './memory-log.ts';
import { SAMPLE_UI } from './sample-ui.ts';

export const INTERNAL_SECRET = 'secret-of-the-tests-0123';
const KEY_HEADER = 'x-service-key';
const check = answerCheckOf(ROUTES, { keyHeader: KEY_HEADER });

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked against their contracts at run time
  readonly body: any;
  readonly headers: LightMyRequestResponse['headers'];
  readonly text: string;
}

export interface Harness {
  readonly app: FastifyInstance;
  /** Folder of its stores. */
  readonly folder: string;
  readonly state: State;
  /** Same, without seals: for writes that bypass the service. */
  readonly unsealedState: State;
  readonly log: MemoryLog;
  readonly dependencies: AppDependencies;
  /** Milliseconds to add to the clock. */
  skew: number;
  /** Sends a request; the answer is checked against the description. */
  call(options: InjectOptions): Promise<Answered>;
  /** Resolves when every announced outbox is flushed. */
  settled(): Promise<void>;
  /** A customer with a key, made without the HTTP interface; by default its rate limit is out of reach. */
  customer(plan?: Plan, overrides?: Partial<LimitOverrides>): Promise<TestCustomer>;
  close(): Promise<void>;
}

export interface TestCustomer {
  readonly id: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const internalHeaders = { 'x-internal-secret': INTERNAL_SECRET };

export interface HarnessOptions {
  readonly warehouse?: Warehouse;
  readonly dependencies?: Partial<AppDependencies>;
  readonly settings?: Partial<AppDependencies['settings']>;
  /** Unix ms; by default the machine's. A fixed one moves only by `skew`. */
  readonly clock?: () => number;
  /** Wraps the state, to inject failures. */
  readonly wrapState?: (state: State) => State;
}

/** An empty warehouse. */
export const emptyWarehouse = (): Warehouse => {
  const refuse = async (): Promise<never> => {
    throw new Error('the API only reads');
  };
  return {
    query: async () => [],
    async *stream() {
      // nothing stored
    },
    async *streamTuples() {
      // nothing stored
    },
    async *streamBytes() {
      // nothing stored
    },
    insert: refuse,
    command: refuse,
    ping: async () => undefined,
    close: async () => undefined,
  };
};

/** The API on a real embedded state, codec, keyring and signing key, and a log in memory. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'api-'));
  const { clock = Date.now } = options;
  const now = (): number => clock() + harness.skew;
  const embedded = await openEmbeddedState({ path: path.join(folder, 'state', 'state.mdb'), now });
  const masterKey = randomBytes(32);
  const sealed = (of: State): State => sealedState(checkedCollections(of), documentSeals(masterKey));
  const { state, rights } = watchRights(sealed(options.wrapState?.(embedded) ?? embedded), {
    now,
    logger: createLogger('silent'),
  });
  const log = memoryLog(now);
  const flushes = new Set<Promise<unknown>>();
  const dependencies: AppDependencies = {
    state,
    rights,
    log: log as unknown as EventLog,
    codec: bundledCodec(),
    sandboxVersions: sandboxVersions(state.documents),
    detection: createDetection({ tasks: null, clock: () => performance.now() }),
    keyring: openKeyring({ state, masterKey, now }),
    signingKey: loadSigningKey(path.join(folder, 'signing.pem'), { create: true }),
    warehouse: options.warehouse ?? emptyWarehouse(),
    bodyBudget: createBodyBudget(256 * 2 ** 20),
    packages: packagesInFolder({ folder: path.join(folder, 'packages'), leastFreeBytes: 0 }),
    epoch: 1,
    announce: (ref) => {
      const flush = flushOutbox({ documents: embedded.documents, log }, ref).catch(() => undefined);
      flushes.add(flush);
      void flush.finally(() => flushes.delete(flush));
    },
    now,
    newId: (at) => v7({ msecs: at }),
    randomBytes,
    internalSecrets: [INTERNAL_SECRET],
    readiness: async () => ({ status: 'ready', checks: { log: { ok: true } } }),
    metrics: new Registry(),
    logger: createLogger('silent'),
    ui: SAMPLE_UI,
    settings: {
      keyHeader: KEY_HEADER,
      basePath: '',
      ledgerOrigin: 'compliance-audit-service',
      signingKeySince: '2026-01-01T00:00:00.000Z',
      requestTimeoutMs: 30_000,
      maxConnections: 8_000,
      refusalPauseMs: 0,
      probePauseMs: 0,
      trustedProxies: [],
      isAllowedHost: () => true,
      isSignupOpen: true,
      ...options.settings,
    },
    ...options.dependencies,
  };
  const app = buildApp(dependencies);
  const strip = withoutBasePath(dependencies.settings.basePath, ROUTES);
  await app.ready();
  const harness: Harness = {
    app,
    folder,
    state: sealed(embedded),
    unsealedState: embedded,
    log,
    dependencies,
    skew: 0,
    call: async (request) => answered(request, strip(String(request.url)), await answerOf(app, request)),
    settled: async () => {
      await Promise.all(flushes);
    },
    customer: (plan = 'PRO', overrides = {}) => makeCustomer(harness, plan, overrides),
    close: async () => {
      await app.close();
      rights.stop();
      await Promise.all(flushes);
      await embedded.close();
      await rm(folder, { recursive: true });
    },
  };
  return harness;
}

async function makeCustomer(
  harness: Harness,
  plan: Plan,
  overrides: Partial<LimitOverrides>,
): Promise<TestCustomer> {
  const made = await harness.call({
    method: 'POST',
    url: '/internal/customers',
    headers: internalHeaders,
    payload: { name: 'Example Ltd', type: 'COMPANY', plan },
  });
  const { id } = made.body as { id: string };
  const ref = { scope: id, collection: CUSTOMERS, id };
  const stored = (await harness.state.documents.get<CustomerRecord>(ref))!.value;
  const all = { ...NO_OVERRIDES, rate: 1e6, burst: 1e6, ...overrides };
  const value: CustomerRecord = { ...stored, overrides: all, ...resolveLimits(plan, all) };
  await harness.state.documents.write(id, [{ collection: CUSTOMERS, id, value }]);
  const key = await harness.call({
    method: 'POST',
    url: `/internal/customers/${id}/api-keys`,
    headers: internalHeaders,
    payload: { name: 'tests' },
  });
  const { key: full } = key.body as { key: string };
  await harness.settled();
  return { id, key: full, headers: { [KEY_HEADER]: full } };
}

type GotAnswer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'payload'>;

const isStream = ({ url, method = 'GET' }: InjectOptions): boolean =>
  method === 'GET' && String(url).split('?', 1)[0] === streamSignals.path;

/** For a stream, only its start: it would not end. */
async function answerOf(app: FastifyInstance, request: InjectOptions): Promise<GotAnswer> {
  if (!isStream(request)) return app.inject(request);
  const response = await app.inject({ ...request, payloadAsStream: true });
  const { statusCode, headers } = response;
  if (statusCode === 200) {
    for await (const first of response.stream()) return { statusCode, headers, payload: String(first) };
  }
  const whole: Buffer[] = await response.stream().toArray();
  return { statusCode, headers, payload: Buffer.concat(whole).toString() };
}

/** The answer, if it matches the description; otherwise throws. */
function answered(request: InjectOptions, url: string, response: GotAnswer): Answered {
  const { statusCode: status, headers, payload: text } = response;
  check({ method: request.method ?? 'GET', url, status, headers, text });
  const isJson = /^application\/([a-z]+\+)?json\b/.test(String(headers['content-type']));
  return { status, body: text !== '' && isJson ? JSON.parse(text) : text, headers, text };
}
