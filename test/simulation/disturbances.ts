import { LEDGER, PARTITIONS, SIGNALS } from '#schemas/topics.ts';
import { SINK_TOPICS } from '#services/sink/start/sink-topics.ts';
import type { Operation, Role } from './plan.ts';
import { SERVERS } from './process.ts';
import { type Random, randomOf } from './random.ts';
import type { Slot } from './supervisor.ts';
import type { World } from './world-of-run.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const HOUR_MS = 3_600_000;

type Disturb = (world: World, random: Random) => Promise<void> | void;

const pickRunning = ({ supervisor }: World, random: Random, roles: readonly Role[]): Slot | null => {
  const running = supervisor
    .slots()
    .filter(({ role, process }) => roles.includes(role) && process.life === 'running');
  return running.length === 0 ? null : random.pick(running);
};

/** A sink rejects a partition unknown to the warehouse, because its rows may be lost. */
const knowsEveryPartition = ({ positions }: World['store']['rows'], log: World['log']): boolean =>
  SINK_TOPICS.every((topic) =>
    Array.from({ length: PARTITIONS }, (_, partition) => partition).every(
      (partition) =>
        log.end(topic, partition) === 0 ||
        positions.some((row) => row.topic === topic && row.partition === partition),
    ),
  );

const DISTURB: Readonly<Record<string, Disturb>> = {
  crash: (world, random) => {
    pickRunning(world, random, ['api', 'analyzer', 'sink', 'correlator'])?.process.die('dead');
  },
  zombie: (world, random) => {
    pickRunning(world, random, ['analyzer', 'sink', 'sink', 'api', 'correlator'])?.process.die('zombie');
  },
  // Partitions move to it, and soon back.
  'second consumer': async (world, random) => {
    const { supervisor, network } = world;
    const role = random.pick(['analyzer', 'sink', 'sink', 'sink', 'correlator'] as const);
    const stayMs = random.between(500, 20_000);
    // Most useful while the first one is busy and does not finish in time.
    const first = pickRunning(world, random, [role]);
    const hangs = world.faults.theme === 'partitions come back';
    if (first !== null && (random.chance(0.6) || hangs)) {
      const byMs = hangs ? 4 * stayMs : random.between(1_000, 3 * stayMs);
      network.slowDown(first.process, byMs, random.between(100, stayMs));
      await wait(random.between(0, 3_000));
    }
    const slot = supervisor.start(role);
    await wait(stayMs);
    await supervisor.close(slot);
  },
  'slow process': (world, random) => {
    const slot = pickRunning(world, random, ['api', 'analyzer', 'sink', 'correlator']);
    if (slot === null) return;
    world.network.slowDown(slot.process, 1_000 * 30 ** random.next(), random.between(2_000, 20_000));
  },
  'graceful stop': async (world, random) => {
    const slot = pickRunning(world, random, ['analyzer', 'sink', 'correlator']);
    if (slot === null) return;
    await world.supervisor.close(slot);
    await wait(random.below(3_000));
    world.supervisor.start(slot.role);
  },
  'clock jump': (world, random) => {
    world.skewMs += random.pick([-HOUR_MS, HOUR_MS, -60_000, 60_000]);
  },
  outage: (world, random) => {
    world.network.interrupt(random.pick(SERVERS), random.between(500, 20_000));
  },
  'slow part': (world, random) => {
    const part = random.pick(['warehouse', 'warehouse', 'log', 'state'] as const);
    world.network.slowDown(part, 1_000 * 30 ** random.next(), random.between(5_000, 40_000));
  },
  'replication stall': async ({ state }, random) => {
    state.stallReplication(true);
    await wait(random.between(2_000, 20_000));
    state.stallReplication(false);
  },
  // Most useful while there are unreplicated writes.
  'state fail-over': async (world, random) => {
    const { state, network, note } = world;
    for (let n = 0; n < 20 && state.unreplicated() === 0; n += 1) await wait(random.between(50, 1_000));
    const lost = state.failOver();
    network.disconnect('state');
    note('state', `the replica takes over, ${lost} writes are lost`);
  },
  'state restored': async (world, random) => {
    const { state, store, log, supervisor, network, note, now } = world;
    const backup = state.snapshot();
    // State and warehouse of the same time are consistent, as if nothing had happened since: only the log has more.
    const rows = random.chance(0.5) ? structuredClone(store.rows) : null;
    note('state', rows === null ? 'is backed up' : 'is backed up, with the warehouse');
    await wait(random.between(3_000, 30_000));
    while (world.operator.isAtWork) await wait(1_000);
    const resume = supervisor.stopAll();
    network.disconnect('state');
    state.restore(backup);
    const isPair = rows !== null && knowsEveryPartition(rows, log);
    if (isPair) {
      Object.assign(store.rows, rows);
      world.excusedNotes = world.promised.notes.length;
    }
    world.restoredAt = now();
    resume();
    note('state', isPair ? 'it is restored with the older warehouse' : 'an older state is restored');
  },
  // Correlators read the expired records that they had not compared from the warehouse.
  'expired records': ({ log, plan }, random) =>
    log.expire(SIGNALS.name, random.pick(plan.partitions.customers)),
  'damaged ledger record': ({ log, promised, blocked }, random) => {
    if (promised.customers.length === 0) return;
    const { customerId: key } = random.pick(promised.customers);
    const { partition, offset } = log.store({
      topic: LEDGER.name,
      key,
      value: random.bytes(20),
      headers: {},
    });
    if (!blocked.has(partition)) blocked.set(partition, offset);
  },
};

/** Applies an operation to the world's processes and dependencies. */
export async function disturb(world: World, operation: Operation): Promise<void> {
  const work = DISTURB[operation.kind];
  if (work === undefined) throw new Error(`unknown operation: "${operation.kind}"`);
  const { faults } = world;
  faults.count(operation.kind as Parameters<typeof faults.count>[0]);
  await work(world, randomOf(operation.dice));
}
