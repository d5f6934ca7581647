import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { warmUpInSteps } from '#core/detect/warm-up.ts';
import { createDetection } from '#detection/detection.ts';
import type { Detection } from '#detection/port.ts';
import { warmThread } from '#detection/warm-thread.ts';
import { builtFile } from '#platform/config/package-root.ts';
import { runStepsInBackground, timeSlice } from '#platform/flow/time-slice.ts';
import { flushOutbox, OUTBOX_DEFERRED } from '#platform/outbox/flush.ts';
import { startSweeper } from '#platform/outbox/sweeper.ts';
import type { PackageFiles } from '#platform/packages/port.ts';
import type { StoringDependencies } from '#platform/process/dependencies.ts';
import type { ServiceContext } from '#platform/process/service-context.ts';
import { createRandomPool } from '#platform/sealing/random-pool.ts';
import { closableState } from '#platform/state/closable.ts';
import type { Metrics } from '#platform/telemetry/metrics/metrics.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { Announce, EntryMaker } from '#records/changes/ledger-events.ts';
import type { LedgerWatch } from '#records/comparison/ledger-watch.ts';
import { openDirectory } from '#records/directory.ts';
import { registerSigningKey, signingKeyStatus } from '#records/ledger/signing-keys.ts';
import { watchPartitions } from '#records/losses/watch-partitions.ts';
import { sandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import type { LedgerPasses } from './evidence/chain/pass.ts';
import { startLedgerScrub } from './evidence/chain/scrub-ledgers.ts';
import type { PatternSearch } from './evidence/correlations/find-patterns.ts';
import { startPackageBuilder } from './evidence/packages/build-packages.ts';
import { startCheckpointer } from './evidence/proofs/checkpoint-ledgers.ts';
import { startRetention } from './evidence/retention/run-retention.ts';
import { type BodyBudget, createBodyBudget } from './http/bodies/body-budget.ts';
import { installBodyMetrics } from './http/http-metrics.ts';
import { type ApiAddresses, listen } from './listeners.ts';
import type { ApiDependencies } from './operations/dependencies.ts';
import { countRequests, type RequestsInProgress } from './operations/requests-in-progress.ts';
import { watchRights } from './operations/rights/held-rights.ts';
import { startEraser } from './operators/erasure/erase-customers.ts';
import type { ApiKeys } from './process-keys.ts';
import { startArchiver } from './sandboxes/archive-versions.ts';
import { readUiFiles } from './ui/ui-files.ts';

const LEDGER_ORIGIN = 'compliance-audit-service';
const VERIFY_PAGE = 'page/verify.html';
const UI_FILES = 'web/site';
const REQUEST_TIMEOUT_MS = 30_000;
/** Each connection takes 11 KB of memory, and up to 26 with a half-read header, before its sender is known. */
const MAX_CONNECTIONS = 8_000;
const REFUSAL_PAUSE_MS = 1_000;
const PROBE_PAUSE_MS = 250;
/** Scans searched before other requests get their turn: a few milliseconds of work. */
const SCANS_PER_TURN = { audits: 16, weight: 8_192, inOneTurn: true };
/** Maximum scans of long texts that wait for a thread. */
const MAX_LONG_SCANS = 64;
const UUID_RANDOM_BYTES = 16;

const monotonic = (): number => performance.now();

const scanDetection = (tasks: Tasks | null): Detection =>
  createDetection({ tasks, list: SCANS_PER_TURN, maxWaiting: MAX_LONG_SCANS, clock: monotonic });

interface ApiOptions
  extends ServiceContext<StoringDependencies>,
    Pick<ApiDependencies, 'readiness' | 'onStored' | 'epoch'> {
  /** What is known of the state's age. */
  readonly ledger: LedgerWatch;
  readonly keys: ApiKeys;
  /** Threads for long texts; null: none. */
  readonly detectionTasks: Tasks | null;
  /** Where ledgers are verified. */
  readonly passes: LedgerPasses;
  /** Where patterns are searched for. */
  readonly patternSearch: PatternSearch;
  readonly metrics: Metrics;
  /** Storage of evidence packages; null: none are made. */
  readonly packages: PackageFiles | null;
}

/** Signs and verifies ledgers without a request. */
function startLedgerJobs({
  dependencies,
  keys,
  passes,
  lifecycle,
  logger,
  metrics,
  now,
  probe,
}: ApiOptions): void {
  const scrub = startLedgerScrub({ ...dependencies, passes, now, clock: monotonic, logger, metrics });
  lifecycle.add('background verification', scrub.stop);
  const settings = { ledgerOrigin: LEDGER_ORIGIN };
  const checkpointer = startCheckpointer({
    ...dependencies,
    ...keys,
    settings,
    now,
    clock: monotonic,
    logger,
    probe,
  });
  lifecycle.add('checkpoints', checkpointer.stop);
}

/** Otherwise the first scans would wait for patterns to be compiled, and the first long one for a thread. */
export function warmUp({
  settings,
  detectionTasks,
  lifecycle,
}: Pick<ApiOptions, 'settings' | 'detectionTasks' | 'lifecycle'>): void {
  if (!settings.detection.warmUp) return;
  lifecycle.add('warm-up', runStepsInBackground(warmUpInSteps(), timeSlice(monotonic)));
  if (detectionTasks !== null) void warmThread(detectionTasks);
}

/** Continues what was decided about customers' records and signals. */
function startRecordJobs(
  { dependencies, lifecycle, logger, now, probe }: ApiOptions,
  {
    requests,
    makeEntry,
    announce,
    randomBytes,
    newId,
    ...packages
  }: Pick<ApiDependencies, 'announce' | 'randomBytes' | 'newId' | 'packages'> & {
    readonly requests: RequestsInProgress | null;
    readonly makeEntry: EntryMaker;
  },
): void {
  const { documents, admission } = dependencies.state;
  const records = { documents, makeEntry, announce };
  const shared = { ...dependencies, ...packages, ...records, now, logger, probe };
  const isInProgress = requests === null ? {} : { isInProgress: requests.isInProgress };
  const eraser = startEraser({ ...shared, ...isInProgress });
  lifecycle.add('customer erasure', eraser.stop);

  const directory = openDirectory({ ...records, admission, randomBytes });
  const retention = startRetention({ ...shared, directory, newId });
  lifecycle.add('retention policies', retention.stop);

  const archiver = startArchiver({ ...dependencies, now, logger });
  lifecycle.add('sandbox version archive', archiver.stop);
}

/** Makes evidence packages, if there is storage for them. */
function startPackageJobs(
  { dependencies, keys, packages, lifecycle, logger, now, probe }: ApiOptions,
  entries: Pick<Parameters<typeof startPackageBuilder>[0], 'makeEntry' | 'announce' | 'randomBytes'>,
): void {
  if (packages === null) return;
  const settings = { ledgerOrigin: LEDGER_ORIGIN };
  // Read once: all packages of a process share it.
  const verifyPage = readFileSync(builtFile(VERIFY_PAGE), 'utf8');
  const own = { ...entries, verifyPage, packages, settings, now, logger, probe };
  const builder = startPackageBuilder({ ...dependencies, ...keys, ...own });
  lifecycle.add('evidence packages', builder.stop);
}

/** Neither requests nor background jobs use a state that is not current. */
function withCurrentState(options: ApiOptions): ApiOptions {
  const { dependencies, ledger } = options;
  const refusal = () =>
    ledger.standing() === 'CURRENT' ? null : 'the state may be older than the ledger; see the log';
  return { ...options, dependencies: { ...dependencies, state: closableState(dependencies.state, refusal) } };
}

/**
 * Registers the key in the state, and returns since when it signs. A key that was not announced is logged as an error.
 */
async function registerOwnKey({ dependencies, keys, logger, now }: ApiOptions): Promise<string> {
  const { state } = dependencies;
  const { signingKey, announcement } = keys;
  const since = await registerSigningKey(state.documents, signingKey, now(), announcement);
  const { keyId, replaced, announced, listIntact } = await signingKeyStatus({ signingKey, state });
  if (!announced) logger.error({ keyId, replaced, since }, 'signing key replaced without announcement');
  if (!listIntact) logger.error({ keyId }, 'signing key list signature invalid');
  return since;
}

function watchedRights({ dependencies, lifecycle, logger, now }: ApiOptions): ReturnType<typeof watchRights> {
  const watched = watchRights(dependencies.state, { now, logger });
  lifecycle.add('access checks', async () => watched.rights.stop());
  return watched;
}

function openBodyBudget({ settings, metrics }: ApiOptions): BodyBudget {
  const budget = createBodyBudget(settings.bodyBudgetBytes);
  installBodyMetrics(metrics.registry, budget);
  return budget;
}

/** Starts the HTTP service and the sweeper of its outbox; resolves to its addresses. */
export async function startApi(given: ApiOptions): Promise<ApiAddresses> {
  const options = withCurrentState(given);
  const { dependencies, keys, settings, lifecycle, logger, now, probe } = options;
  const stoppedPartitions = await watchPartitions({ ...dependencies.state, logger });
  lifecycle.add('stopped partition watch', stoppedPartitions.stop);
  const randomBytes = createRandomPool();
  const newId = (at: number): string => v7({ msecs: at, random: randomBytes(UUID_RANDOM_BYTES) });
  const outbox = {
    documents: dependencies.state.documents,
    log: dependencies.log,
  };
  const sweeper = startSweeper({ ...outbox, logger });
  lifecycle.add('outbox sweeper', sweeper.stop);

  // If this fails (the log is down, the process dies), the sweeper catches up.
  const announce: Announce = (ref) => {
    flushOutbox(outbox, ref).catch((err: unknown) => logger.debug({ err }, OUTBOX_DEFERRED));
  };
  // In the embedded profile no other process serves requests.
  const requests = settings.profile === 'embedded' ? countRequests() : null;
  const packages = options.packages === null ? {} : { packages: options.packages };
  const makeEntry = entryMaker({ ...dependencies, randomBytes });
  startRecordJobs(options, { ...packages, announce, makeEntry, randomBytes, newId, requests });
  startPackageJobs(options, { makeEntry, announce, randomBytes });

  const watched = watchedRights(options);
  const addresses = await listen(settings, lifecycle, {
    ...dependencies,
    ...watched,
    ...packages,
    ...keys,
    sandboxVersions: sandboxVersions(dependencies.state.documents),
    detection: scanDetection(options.detectionTasks),
    passes: options.passes,
    patternSearch: options.patternSearch,
    ui: readUiFiles(builtFile(UI_FILES), settings.basePath),
    now,
    newId,
    randomBytes,
    readiness: options.readiness,
    ledger: options.ledger,
    stoppedPartitions,
    ...(requests === null ? {} : { requests }),
    epoch: options.epoch,
    ...(options.onStored === undefined ? {} : { onStored: options.onStored }),
    metrics: options.metrics.registry,
    bodyBudget: openBodyBudget(options),
    logger,
    probe,
    announce,
    settings: {
      keyHeader: settings.keyHeader,
      basePath: settings.basePath,
      ledgerOrigin: LEDGER_ORIGIN,
      signingKeySince: await registerOwnKey(options),
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      maxConnections: MAX_CONNECTIONS,
      refusalPauseMs: REFUSAL_PAUSE_MS,
      probePauseMs: PROBE_PAUSE_MS,
      trustedProxies: settings.trustedProxies,
      isSignupOpen: settings.isSignupOpen,
    },
  });
  startLedgerJobs(options);
  return addresses;
}
