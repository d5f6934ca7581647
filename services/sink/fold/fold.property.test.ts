import fc from 'fast-check';
import { createVerifier } from '#core/evidence/verify/verify.ts';
import { expect, test } from '#jest';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { ERASURE_SCOPES } from '#schemas/ledger/erasure.v1.ts';
import type { LedgerRow } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import { LEDGER_KINDS, type LedgerKind } from '#schemas/vocabulary.ts';
import { flush, type Publish } from '../flush/flush.ts';
import { createHeadCache } from '../flush/head-cache.ts';
import type { SinkStore } from '../flush/store.ts';
import { createMemoryStore, type MemoryStore } from '../testing/memory-store.ts';
import { customerIn, draftOf, erasureCore, opened, storedRecord } from '../testing/sample-log.ts';
import type { OwnedEntry } from './fold-batch.ts';

/**
 * Whatever the batch cuts, repeats, crashes between any two inserts, owners that wake up late, erasures and deletions:
 * the remaining rows equal those of an undisturbed fold of one record at a time.
 */

const EPOCH = 1;
const PARTITIONS = [0, 1];
/** Partition 0 holds two customers, partition 1 one. */
const CUSTOMERS = [customerIn(0, 0), customerIn(0, 1), customerIn(1, 0)];

type Op =
  | { readonly op: 'entry'; readonly customer: number; readonly kind: LedgerKind }
  | { readonly op: 'repeat'; readonly back: number; readonly otherContent: boolean }
  | {
      readonly op: 'erase';
      readonly customer: number;
      readonly from: number;
      readonly length: number;
      readonly scope: 'ALL' | 'DETAIL';
      readonly kinds: LedgerKind[];
      readonly closing: boolean;
    };

const customer = fc.constantFrom(0, 0, 0, 1, 2);
const op = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('entry' as const),
      customer,
      kind: fc.constantFrom<LedgerKind>('SIGNAL', 'SIGNAL', 'SIGNAL', 'INCIDENT_EVENT'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('repeat' as const),
      back: fc.nat(30),
      otherContent: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('erase' as const),
      customer,
      from: fc.nat(5),
      length: fc.nat(8),
      scope: fc.constantFrom(...ERASURE_SCOPES),
      kinds: fc.oneof(fc.constant([...LEDGER_KINDS]), fc.subarray([...LEDGER_KINDS])),
      closing: fc.nat(9).map((n) => n === 0),
    }),
  },
);

/** The records of both partitions; offsets have gaps. */
function logOf(ops: readonly Op[]): StoredRecord[][] {
  const log: StoredRecord[][] = PARTITIONS.map(() => []);
  const made: { customerId: string; kind: LedgerKind; n: number; core: object | undefined }[] = [];
  for (const [n, one] of ops.entries()) {
    let next = {
      customerId: CUSTOMERS[0]!,
      kind: 'SIGNAL' as LedgerKind,
      n,
      core: undefined as object | undefined,
    };
    let salt = n;
    if (one.op === 'repeat') {
      const earlier = made[made.length - 1 - (one.back % Math.max(1, made.length))];
      if (earlier !== undefined) next = earlier;
      salt = one.otherContent ? n + 100 : next.n;
    } else if (one.op === 'entry') {
      next = { ...next, customerId: CUSTOMERS[one.customer]!, kind: one.kind };
    } else {
      const { from, length, scope, kinds, closing } = one;
      const core = erasureCore({ ranges: [[from, from + length]], scope, kinds, closing });
      next = { customerId: CUSTOMERS[one.customer]!, kind: 'ERASURE', n, core };
    }
    made.push(next);
    const record = storedRecord(
      draftOf(next.customerId, next.kind, next.n, next.core, salt),
      n * 4 + (n % 3),
    );
    log[record.partition]!.push(record);
  }
  return log;
}

/** Positions of the records that differ from the first one with their entry id; signals may differ. */
function contradictionsIn(log: readonly StoredRecord[][]): string[] {
  return log.flatMap((records) => {
    const first = new Map<string, string>();
    return records.flatMap(({ partition, offset, value }) => {
      const { kind, id, customerId, coreHash } = JSON.parse(value.toString()) as Record<string, string>;
      const name = `${customerId} ${kind}:${id}`;
      const known = first.get(name);
      first.set(name, known ?? coreHash!);
      const differs = known !== undefined && known !== coreHash && kind !== 'SIGNAL';
      return differs ? [`${partition}/${offset}`] : [];
    });
  });
}

class Crash extends Error {}

interface OwnerPlan {
  /** Records per batch, in turn. */
  readonly cuts: readonly number[];
  /** How many crash points an owner passes before it dies; it restarts until these are used up. */
  readonly crashes: readonly number[];
  readonly withCache: boolean;
}

/** One process that owns both partitions, from the stored positions until it has stored everything. */
async function own(
  store: SinkStore,
  log: readonly StoredRecord[][],
  plan: OwnerPlan,
  publish: Publish,
): Promise<void> {
  const crashes = [...plan.crashes];
  for (;;) {
    try {
      await run(store, log, plan, publish, crashes.shift() ?? Number.POSITIVE_INFINITY);
      return;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
}

async function run(
  store: SinkStore,
  log: readonly StoredRecord[][],
  plan: OwnerPlan,
  publish: Publish,
  crashAfter: number,
): Promise<void> {
  const cache = createHeadCache();
  let passes = 0;
  let turn = 0;
  const assignments = PARTITIONS.map((partition) => ({
    topic: LEDGER.name,
    partition,
    start: 0,
    end: 0,
    committed: null,
  }));
  for (const assignment of assignments) cache.begin(assignment);
  const next = await Promise.all(
    PARTITIONS.map(
      async (partition) => (await store.position(EPOCH, LEDGER.name, partition))?.nextOffset ?? 0,
    ),
  );
  const probe = (): void => {
    passes += 1;
    if (passes > crashAfter) throw new Crash();
  };
  for (;;) {
    const batches = PARTITIONS.flatMap((partition) => {
      const size = plan.cuts[turn++ % plan.cuts.length]!;
      const batch = log[partition]!.filter((record) => record.offset >= next[partition]!).slice(0, size);
      return batch.length === 0 ? [] : [{ partition, batch }];
    });
    if (batches.length === 0) return;
    const units = await Promise.all(
      batches.map(async ({ partition, batch }) => ({
        kind: 'ledger' as const,
        assignment: assignments[partition]!,
        topicPartition: `${LEDGER.name}/${partition}`,
        sources: batch,
        size: batch.length,
        isLagging: false,
        records: await Promise.all(batch.map(opened)),
        cachedHeads: plan.withCache ? cache.at(assignments[partition]!, batch[0]!.offset) : new Map(),
      })),
    );
    const outcomes = await flush(units, {
      store,
      assertMayStore: async () => undefined,
      publish,
      epoch: EPOCH,
      now: () => 0,
      probe,
      metrics: {},
    });
    for (const [i, { partition, batch }] of batches.entries()) {
      next[partition] = batch.at(-1)!.offset + 1;
      cache.store(assignments[partition]!, batch[0]!.offset, next[partition], outcomes[i]!.heads);
    }
  }
}

/** Every store call waits for its turn, so that owners and deletions interleave in any order. */
function interleaved(store: MemoryStore, scheduler: fc.Scheduler): SinkStore {
  const turn = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    scheduler.scheduleFunction(async (...args: Args) => call(...args)) as (...args: Args) => Promise<Result>;
  return {
    epoch: store.epoch,
    position: turn(store.position),
    skips: turn(store.skips),
    ids: turn(store.ids),
    coreHashes: turn(store.coreHashes),
    heads: turn(store.heads),
    newestSignals: turn(store.newestSignals),
    closings: turn(store.closings),
    signals: turn(store.signals),
    entries: turn(store.entries),
    audits: turn(store.audits),
    insert: turn(store.insert),
  };
}

function expectValid(store: MemoryStore, customerId: string): void {
  const of = <Row extends { customerId: string; index: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => row.customerId === customerId).sort((a, b) => a.index - b.index);
  const [ledger, entries] = [of(store.rows.ledger), of(store.rows.entries)];
  const verifier = createVerifier({ customerId });
  verifier.erasures(ledger, entries);
  verifier.chunk({ ledger, signals: of(store.rows.signals), entries });
  const result = verifier.finish();
  const size = new Set(ledger.map((row) => row.index)).size;
  expect(result).toMatchObject({ valid: true, errors: [], treeSize: size, checkedEntries: size });
}

/** A consumer that drops what it has seen reads each entry once, in chain order, without a gap. */
function expectPublished(published: readonly OwnedEntry[], ledger: readonly LedgerRow[]): void {
  for (const customerId of CUSTOMERS) {
    const seen: [number, string, string][] = [];
    for (const { index, hash, id } of published.filter((entry) => entry.customerId === customerId))
      if (index > (seen.at(-1)?.[0] ?? -1)) seen.push([index, hash, id]);
    const chain = ledger.filter((row) => row.customerId === customerId).sort((a, b) => a.index - b.index);
    expect(seen).toEqual(chain.map(({ index, hash, id }) => [index, hash, id]));
  }
}

const plan: fc.Arbitrary<OwnerPlan> = fc.record({
  cuts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
  crashes: fc.array(fc.nat(25), { maxLength: 5 }),
  withCache: fc.boolean(),
});

test('any disturbance results in the rows of an undisturbed fold, and a valid chain', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(op, { minLength: 1, maxLength: 40, size: 'max' }),
      plan,
      plan,
      fc.nat(6),
      fc.scheduler(),
      async (ops, one, other, scrubs, scheduler) => {
        const log = logOf(ops as Op[]);
        const reference = createMemoryStore(EPOCH);
        await own(reference, log, { cuts: [1], crashes: [], withCache: false }, async () => undefined);

        const store = createMemoryStore(EPOCH);
        const shared = interleaved(store, scheduler);
        const scrub = scheduler.scheduleFunction(async () => store.scrub());
        const published: OwnedEntry[] = [];
        const publish = scheduler.scheduleFunction(async (entries: readonly OwnedEntry[]) => {
          published.push(...entries);
        }) as Publish;
        const work = Promise.all([
          own(shared, log, one, publish),
          own(shared, log, other, publish),
          ...Array.from({ length: scrubs }, () => scrub()),
        ]);
        await scheduler.waitFor(work);

        const expected = reference.final();
        const positions = expected.contradictions.map(({ partition, offset }) => `${partition}/${offset}`);
        expect(positions.sort()).toEqual(contradictionsIn(log).sort());
        expect(store.final()).toEqual(expected);
        for (const customerId of CUSTOMERS) expectValid(store, customerId);
        expectPublished(published, expected.ledger);
        store.scrub();
        expect(store.final()).toEqual(expected);
        for (const customerId of CUSTOMERS) expectValid(store, customerId);
      },
    ),
    { numRuns: 75 },
  );
});
