import path from 'node:path';
import type { EventLog } from '#platform/event-log/port.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import { META, type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { acceptContradictions } from '#records/comparison/ledger-watch.ts';
import { openDirectory } from '#records/directory.ts';
import { registerSigningKey } from '#records/ledger/signing-keys.ts';
import { packageListOf } from '#records/packages/package-list.ts';
import type { PackageRecord } from '#records/packages/package-record.ts';
import { CONTRADICTIONS, SKIPS } from '#schemas/tables/tables.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { logEndOf, passesHere } from '#services/api/evidence/chain/passes.ts';
import {
  type PackageJobDependencies,
  runPackageRound,
} from '#services/api/evidence/packages/package-rounds.ts';
import { retentionStep } from '#services/api/evidence/retention/retention-steps.ts';
import { pageOf, signUp } from '#services/api/testing/accounts.ts';
import { analyzerOf } from '#services/api/testing/analyzer-of.ts';
import { failingPipeline } from '#services/api/testing/dead-letter.ts';
import { type Harness, internalHeaders, startHarness } from '#services/api/testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '#services/api/testing/real-warehouse.ts';
import { sinkOf } from '#services/api/testing/sink-of.ts';
import { SINK_TOPICS } from '#services/sink/start/sink-topics.ts';
import { createTreeJob } from '#services/sink/trees/tree-job.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type KeptTables, keptTables } from '../places/kept-tables.ts';
import { correlatorsOf } from './correlators-of.ts';
import { skipPauses } from './pauses.ts';
import { type RememberedPasses, rememberedPasses } from './remembered-passes.ts';
import { rememberedWarehouse } from './remembered-warehouse.ts';
import { type ReopenedState, reopenedState } from './reopened-state.ts';
import type { Stage } from './stage.ts';
import { playStory, type StoryIds } from './story.ts';

const START = Date.UTC(2026, 5, 1, 12);
const MAX_STEPS = 60;
const STEP_MS = 2_000;

/** A service after its story, with stores that can be changed from outside and put back. */
export interface World extends StoryIds {
  readonly harness: Harness;
  readonly real: RealWarehouse;
  readonly passes: RememberedPasses;
  /** Drops cached results from a table of the warehouse. */
  changed(table: string): void;
  readonly state: ReopenedState;
  readonly tables: KeptTables;
  readonly customerId: string;
  /** Headers with the customer's key, its user's session, and the platform's secret. */
  readonly headers: Readonly<Record<'key' | 'session' | 'internal', Readonly<Record<string, string>>>>;
  /** An earlier checkpoint, as a witness keeps it. */
  readonly keptNote: string;
  /** The record of the newest package. */
  readonly packageRecord: PackageRecord;
  jobs(): PackageJobDependencies;
  close(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const closings: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closings.splice(0).reverse()) await one();
  };
  try {
    return { ...(await openWorld((closing) => void closings.push(closing))), close };
  } catch (err) {
    await close();
    throw err;
  }
}

/** `closedBy` receives a function to close each store, in the order of opening. */
async function openWorld(closedBy: (closing: () => Promise<void>) => void): Promise<Omit<World, 'close'>> {
  const real = await startRealWarehouse();
  closedBy(real.close);
  const warehouse = rememberedWarehouse(real.warehouse);
  let state: ReopenedState | null = null;
  const logEnd = (id: string): Promise<number> =>
    logEndOf(harness.log as unknown as Pick<EventLog, 'bounds'>)(id);
  const passes = rememberedPasses(passesHere({ warehouse, logEnd }), warehouse.isBegun);
  const harness = await startHarness({
    warehouse,
    dependencies: { passes },
    clock: () => START,
    wrapState: (embedded: State) => {
      const fileOf = () => path.join(harness.folder, 'state', 'state.mdb');
      state = reopenedState(embedded, fileOf, () => START + harness.skew);
      return state.state;
    },
  });
  closedBy(harness.close);
  closedBy(() => state!.close());
  const { customerId, headers } = await makeAccount(harness);
  const notes: string[] = [];
  const tables = keptTables(real.warehouse);
  const stage = stageOf({ harness, real, tables, customerId, headers, notes });
  const { documents } = harness.dependencies.state;
  await documents.write(SYSTEM_SCOPE, [
    { collection: META, id: 'logEpoch', value: { epoch: 1, setUp: 'test' } },
  ]);
  await (harness.dependencies.keyring as Keyring).adopt();
  await registerSigningKey(documents, harness.dependencies.signingKey, harness.dependencies.now());
  const ids = await playStory(stage);
  harness.skew += STEP_MS;
  await stage.send('GET', '/evidence/hash-chain/verify?mode=full');
  const { packages } = await packageListOf(documents, customerId);
  await leaveTraces(harness, real, customerId);
  await tables.prepare();
  await state!.keep();
  // From now on the log accepts nothing, so that reads change nothing.
  harness.log.mode = 'loses';
  warehouse.start();
  await skipPauses();
  return {
    ...ids,
    harness,
    real,
    passes,
    changed: (table) => {
      warehouse.changed([table]);
      passes.changed([table]);
    },
    state: state!,
    tables,
    customerId,
    headers,
    keptNote: notes[0]!,
    packageRecord: packages.find(({ id }) => id === ids.ids.package)!,
    jobs: () => jobsOf(harness),
  };
}

/** A customer with a signed-in user and a key. */
async function makeAccount(harness: Harness): Promise<Pick<World, 'customerId' | 'headers'>> {
  const account = await signUp(harness);
  if (account.status >= 400) throw new Error(`POST /accounts: ${account.status} ${account.text}`);
  const customerId = String(account.body.customer.id);
  const session = pageOf(account);
  const plan = { plan: 'ENTERPRISE', rate: 1_000_000, burst: 1_000_000 };
  const internal = internalHeaders;
  const { app } = harness;
  await app.inject({
    method: 'PATCH',
    url: `/internal/customers/${customerId}`,
    headers: internal,
    payload: plan,
  });
  const made = await harness.call({
    method: 'POST',
    url: '/api-keys',
    headers: session,
    payload: { name: 'key' },
  });
  const headers = { key: { 'x-service-key': String(made.body.key) }, session, internal };
  return { customerId, headers };
}

/** Writes rows of rare events: an operator accepted the loss of a record, and a contradicting repeat of an entry. */
async function leaveTraces(
  { dependencies: { state, now } }: Harness,
  { insert, warehouse }: RealWarehouse,
  customerId: string,
): Promise<void> {
  const position = { epoch: 1, partition: 0, offset: 1_000_000 };
  const acceptedAt = new Date(now()).toISOString();
  const skip = {
    ...position,
    topic: TRIPLETS.name,
    untilOffset: position.offset + 1,
    digest: '',
    acceptedAt,
  };
  await insert(SKIPS, [skip]);
  const hashes = { coreHash: 'ab'.repeat(32), repeatedCoreHash: 'cd'.repeat(32) };
  await insert(CONTRADICTIONS, [{ ...position, customerId, entryId: `${customerId}:1`, ...hashes }]);
  await acceptContradictions({ state, warehouse });
}

const jobsOf = ({ dependencies }: Harness): PackageJobDependencies => ({
  ...dependencies,
  packages: dependencies.packages!,
  verifyPage: '<!doctype html>\n<title>The page</title>\n',
  makeEntry: entryMaker(dependencies),
  stopping: new AbortController().signal,
});

interface StageOptions extends Pick<World, 'harness' | 'real' | 'tables' | 'customerId' | 'headers'> {
  readonly notes: string[];
}

function stageOf({ harness, real, tables, customerId, headers, notes }: StageOptions): Stage {
  const { dependencies } = harness;
  const sink = sinkOf(harness, real, 1);
  const correlators = correlatorsOf(harness, real);
  const trees = createTreeJob({ warehouse: real.warehouse, logger: { error: () => undefined } });
  const call: Stage['call'] = async (method, url, own, payload) => {
    const answer = await harness.call({ method, url, headers: own, ...(payload ? { payload } : {}) });
    if (answer.status >= 400) throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`);
    await harness.settled();
    return answer;
  };
  const fold = async (): Promise<void> => {
    await harness.settled();
    for (const topic of SINK_TOPICS) if (topic !== LEDGER.name) await sink.fold(topic);
    await sink.fold(LEDGER.name);
    harness.skew += STEP_MS;
  };
  const settle = async (): Promise<void> => {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await fold();
      if (!(await correlators.process())) return;
    }
    throw new Error('the correlators do not come to rest');
  };
  const send: Stage['send'] = (method, url, payload) => call(method, url, headers.key, payload);
  return {
    harness,
    customerId,
    now: dependencies.now,
    call,
    send,
    session: (method, url, payload) => call(method, url, headers.session, payload),
    analyse: analyzerOf(harness),
    fail: async (auditId) => void (await failingPipeline(harness, real).fail([auditId])),
    catchUp: settle,
    growTrees: () => trees.backfill(new AbortController().signal),
    backUp: tables.backUp,
    retain: () => retainedBy(dependencies, customerId, settle),
    erase: async (auditId) => {
      const before = harness.log.of(LEDGER.name).length;
      const answer = send('DELETE', `/evidence/retention/signals/${auditId}`);
      await eventually('the entry is in the log', 30_000, async () =>
        harness.log.of(LEDGER.name).length > before ? true : undefined,
      );
      await settle();
      await answer;
      await send('GET', `/evidence/retention/erasures/${auditId}`);
    },
    keepCheckpoint: async () => {
      harness.skew += STEP_MS;
      const { body } = await send('GET', '/evidence/hash-chain/checkpoint');
      notes.push(body.data.note);
    },
    build: async () => {
      harness.skew += STEP_MS;
      await runPackageRound(jobsOf(harness), customerId);
      await settle();
    },
  };
}

/** Runs the retention policies to their end. */
async function retainedBy(
  dependencies: Harness['dependencies'],
  customerId: string,
  settle: () => Promise<void>,
): Promise<void> {
  const makeEntry = entryMaker(dependencies);
  const { documents, admission } = dependencies.state;
  const directory = openDirectory({ ...dependencies, documents, admission, makeEntry });
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const outcome = await retentionStep({ ...dependencies, makeEntry, directory }, customerId, null);
    await settle();
    if (typeof outcome === 'object') return;
  }
  throw new Error('the run of retention policies does not end');
}
