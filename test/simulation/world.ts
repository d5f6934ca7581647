import { v7 } from 'uuid';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { getCustomer } from '#records/customers/customers.ts';
import { erasureProgress, openErasures } from '#records/erasure/erasures.ts';
import { packageListOf, packageWork } from '#records/packages/package-list.ts';
import { holdsSome } from '#records/packages/packages.ts';
import { retentionCustomers, storedRun } from '#records/retention/retention-run.ts';
import { LEDGER, PARTITIONS, TOPICS } from '#schemas/topics.ts';
import { ANALYZER_GROUP, ANALYZER_TOPICS } from '#services/analyzer/run-analyzer.ts';
import { idsFrom } from '#services/api/operations/ids.ts';
import { PATTERNS_GROUP, PATTERNS_TOPICS } from '#services/correlator/patterns/run-patterns.ts';
import { POLICIES_GROUP, POLICIES_TOPICS } from '#services/correlator/policies/run-policies.ts';
import { FINDINGS_GROUP, FINDINGS_TOPICS } from '#services/sink/findings/run-findings.ts';
import { SINK_TOPICS } from '#services/sink/start/sink-topics.ts';
import { createMemoryStore } from '#services/sink/testing/memory-store.ts';
import { FAULT_SPEC, sendRequest } from './clients.ts';
import type { Decision } from './dependencies/decisions.ts';
import { createDurableLog } from './dependencies/log.ts';
import type { PackageFolder } from './dependencies/packages.ts';
import { createDurableState } from './dependencies/state.ts';
import { disturb } from './disturbances.ts';
import { foldedErasures } from './erased.ts';
import type { FaultPlan } from './faults.ts';
import type { KnownCustomer } from './insist.ts';
import { missingSubtrees } from './invariants/checkpoints.ts';
import { whoseLedgerWaits } from './invariants/confirmed.ts';
import type { NodeDependencies } from './nodes/node.ts';
import { createOperator } from './operator.ts';
import { type Plan, ROLES } from './plan.ts';
import { createNetwork } from './process.ts';
import { nothingPromised } from './promises.ts';
import type { Random } from './random.ts';
import { stoppedRightly } from './stopped-rightly.ts';
import { createSupervisor } from './supervisor.ts';
import type { Trace } from './trace.ts';
import type { World } from './world-of-run.ts';

export const EPOCH = 1;
/** Everything started must be done within this time after the last fault, virtual ms. */
const DRAINED_WITHIN_MS = 10 * 60_000;
/** By then every process has compared state and ledger again. */
const COMPARED_WITHIN_MS = 130_000;
const POLL_EVERY_MS = 1_000;
const codec = bundledCodec();

export interface WorldOptions {
  readonly plan: Plan;
  readonly faults: FaultPlan;
  readonly random: Random;
  readonly trace: Trace;
  readonly now: () => number;
  /** Unix ms at the beginning. */
  readonly wallAtStart: number;
}

export function createWorld({ plan, faults, random, trace, now, wallAtStart }: WorldOptions): World {
  const wall = (): number => wallAtStart + now();
  const note = (who: string, what: string): void => trace.note(now(), who, what);
  const network = createNetwork({ random: random.fork(), faults, trace, now, delayMs: plan.delayMs });
  const { revocationTimeoutMs, sessionTimeoutMs, zombieMs, replicated } = plan;
  const onWarning = (fields: object, message: string): void =>
    note('log', `${message} ${JSON.stringify(fields)}`);
  const used = (topic: string): readonly number[] => partitionsOf(plan, topic);
  const log = createDurableLog({ topics: TOPICS, wall, revocationTimeoutMs, used, onWarning });
  const decisions: Decision[] = [];
  const onDecision = (decision: Decision): void => {
    decisions.push(decision);
    note('state', `takes ${decision.entryId}, with ${decision.holds.length} legal holds`);
  };
  const state = createDurableState({ now: () => Math.floor(wall()), replicated, onDecision });
  const packages: PackageFolder = new Map();
  const store = createMemoryStore(EPOCH);
  const masterKey = random.bytes(32);
  const logged: string[] = [];
  const logger = loggerInto(logged);
  const newId = idsIn(plan.partitions, random.fork());
  const durable = { log, state, store, packages, network };
  const dependencies = { ...durable, codec, masterKey, logger, newId, epoch: EPOCH, faultSpec: FAULT_SPEC };
  const clock = (): number => wall() + world.skewMs;
  const operator = createOperator({
    dependencies,
    supervisor: () => world.supervisor,
    random: random.fork(),
    wall: clock,
    note,
  });
  const world: World = {
    log,
    state,
    store,
    packages,
    decisions,
    masterKey,
    promised: nothingPromised(),
    operator,
    supervisor: createSupervisor({
      dependencies,
      random: random.fork(),
      faults,
      wall: clock,
      sessionTimeoutMs,
      zombieMs,
      note,
      onOlder: operator.olderStateFound,
    }),
    network,
    faults,
    plan,
    logged,
    blocked: new Map(),
    restoredAt: null,
    excusedNotes: 0,
    note,
    now,
    wall,
    skewMs: 0,
  };
  return world;
}

/** Topics whose record key is the customer's id. */
const CUSTOMERS_TOPICS = new Set(TOPICS.filter(({ key }) => key === 'customerId').map(({ name }) => name));

const partitionsOf = ({ partitions }: Plan, topic: string): readonly number[] =>
  CUSTOMERS_TOPICS.has(topic) ? partitions.customers : partitions.others;

/** Draws ids until one fits. */
function idsIn(partitions: Plan['partitions'], random: Random): NodeDependencies['newId'] {
  return (at, { count = 1, of = 'others' } = {}) => {
    const fits = (id: string): boolean => partitions[of].includes(partitionOf(id, PARTITIONS));
    for (;;) {
      const id = v7({ msecs: at, random: random.bytes(16) });
      if (fits(id) && (count === 1 || idsFrom(id, count).every(fits))) return id;
    }
  };
}

/** Collects log lines. */
function loggerInto(lines: string[]): Logger {
  const line =
    (level: string) =>
    (fields: unknown, message?: string): void => {
      const error = (fields as { err?: Error } | null)?.err;
      lines.push(`${level} ${message ?? ''} ${error === undefined ? '' : `${error.name}: ${error.message}`}`);
    };
  return {
    info: () => undefined,
    debug: () => undefined,
    trace: () => undefined,
    warn: line('warn'),
    error: line('error'),
    fatal: line('fatal'),
  } as unknown as Logger;
}

/** Executes the plan; then all faults cease and everything is completed. */
export async function play(world: World): Promise<readonly string[]> {
  const { plan, supervisor, promised, note, now, faults, network, state, store } = world;
  const customers: KnownCustomer[] = [];
  const clients = { api: supervisor.api, promised, store, customers, note, now };
  for (const role of ROLES) for (let n = 0; n < plan.processes[role]; n += 1) supervisor.start(role);

  const inProgress: Promise<unknown>[] = [];
  for (const operation of plan.operations) {
    const waitMs = operation.at - now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    note('plan', operation.kind);
    if (operation.kind === 'customer whose texts fail') faults.count(operation.kind);
    inProgress.push(sendRequest(clients, operation) ?? disturb(world, operation));
  }
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  note('plan', 'all faults cease');
  faults.cease();
  network.heal();
  state.stallReplication(false);
  const deadline = now() + DRAINED_WITHIN_MS;
  let ended = false;
  let comparedAt = 0;
  void Promise.all(inProgress).then(() => {
    ended = true;
  });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    const left = ended ? await whatIsLeft(world) : ['requests and disturbances'];
    if (left.length === 0) {
      if (comparedAt === state.connections()) return [];
      // Everything is folded by now; findings of the next comparison also need a decision.
      comparedAt = state.connections();
      await new Promise((resolve) => setTimeout(resolve, COMPARED_WITHIN_MS));
      continue;
    }
    comparedAt = 0;
    if (now() > deadline) return left;
  }
}

/** Unfinished retention runs and packages of customers whose entries are folded. */
async function unendedWork(world: World): Promise<string[]> {
  const { documents } = world.state.state;
  const waits = whoseLedgerWaits(world);
  const left: string[] = [];
  for (const customerId of await retentionCustomers(documents)) {
    if (waits(customerId)) continue;
    const customer = await getCustomer(documents, customerId);
    const run = await storedRun(documents, customerId);
    if (customer?.active === true && run !== null && run.value.finishedAt === null)
      left.push(`retention run ${run.value.id} of ${customerId}`);
  }
  for (const { customerId } of await packageWork(documents)) {
    if (waits(customerId)) continue;
    for (const { id, status } of (await packageListOf(documents, customerId)).packages)
      if (status === 'GENERATING') left.push(`package ${id} of ${customerId}`);
  }
  return left;
}

/** Packages whose file still exists although some of its content was erased. */
async function stalePackages({ packages: folder, state, store }: World): Promise<string[]> {
  const { documents } = state.state;
  const left: string[] = [];
  for (const { customerId } of await packageWork(documents)) {
    const erasures = foldedErasures(store, customerId);
    for (const { id, basis, file } of (await packageListOf(documents, customerId)).packages) {
      const since = erasures.filter(({ index }) => index >= basis.size).flatMap(({ indexes }) => indexes);
      const ranges = since.map((index) => [index, index] as const);
      // When a customer is erased, the files are removed at once and the records with everything else.
      const isThere = file !== null && folder.get(customerId)?.has(file.name);
      if (isThere && holdsSome(file, ranges))
        left.push(`package ${id} of ${customerId}, of which something was erased`);
    }
  }
  return left;
}

/** Everything started but not completed yet. */
async function whatIsLeft(world: World): Promise<string[]> {
  const { plan, log, state, store, blocked } = world;
  const stopped = stoppedRightly(world);
  const left: string[] = world.operator.isAtWork ? ['a decision of the operator'] : [];
  const positions = new Map<string, number>();
  for (const { topic, partition, nextOffset } of store.rows.positions) {
    const name = `${topic}/${partition}`;
    positions.set(name, Math.max(positions.get(name) ?? 0, nextOffset));
  }
  for (const { name: topic } of TOPICS) {
    for (const partition of partitionsOf(plan, topic)) {
      const name = `${topic}/${partition}`;
      const damaged = topic === LEDGER.name ? blocked.get(partition) : undefined;
      const end = damaged ?? log.end(topic, partition);
      if (stopped.has(name)) continue;
      const stored = positions.get(name) ?? 0;
      if (SINK_TOPICS.includes(topic) && stored < end)
        left.push(`${name}: the sink is at ${stored}, the log ends at ${end}`);
      const analysed = log.done(ANALYZER_GROUP, topic, partition);
      if (ANALYZER_TOPICS.includes(topic) && analysed < end)
        left.push(`${name}: the analyzers are at ${analysed}, the log ends at ${end}`);
      const readers = [
        [POLICIES_GROUP, POLICIES_TOPICS],
        [PATTERNS_GROUP, PATTERNS_TOPICS],
        [FINDINGS_GROUP, FINDINGS_TOPICS],
      ] as const;
      for (const [group, topics] of readers) {
        const done = log.done(group, topic, partition);
        if (topics.includes(topic) && done < end && !log.isEmpty(topic, partition))
          left.push(`${name}: the group ${group} is at ${done}, the log ends at ${end}`);
      }
    }
  }
  left.push(...missingSubtrees(world));
  if (world.supervisor.api() === null) left.push('an API that answers');
  const { documents } = state.state;
  for (const ref of await documents.withPending(100))
    left.push(`pending entries of ${ref.collection} ${ref.id}`);
  left.push(...(await stalePackages(world)), ...(await unendedWork(world)));
  // An erasure whose ERASURE cannot be folded waits for its partition.
  if (blocked.size > 0 || stopped.size > 0) return left;
  for (const id of await openErasures(documents)) {
    // An erasure that is only in the list was never started.
    if ((await erasureProgress(documents, id)) !== null) left.push(`erasure of ${id}`);
  }
  return left;
}
