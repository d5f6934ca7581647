import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signalChain, storeChain } from '../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../testing/stored-world.ts';
import { logEndOf, passesHere } from '../use-cases/evidence/verify/passes.ts';
import { verifiedLedger } from '../use-cases/evidence/verify/verified-ledger.ts';
import { type ScrubDependencies, scrubSlice, startLedgerScrub } from './scrub-ledgers.ts';

const NEVER = new AbortController().signal;
let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());

function scrubOf() {
  const { warehouse, state, log } = world.harness.dependencies;
  const logged: object[] = [];
  const time = { now: Date.UTC(2026, 10, 24) };
  const dependencies: ScrubDependencies = {
    warehouse,
    state,
    passes: passesHere({ warehouse, logEnd: logEndOf(log) }),
    logger: { warn() {}, error: (fields: object) => void logged.push(fields) } as never,
    now: () => time.now,
    clock: () => performance.now(),
  };
  return { dependencies, logged, time };
}

test('a round takes every ledger, remembers what it re-hashed, and tells what is broken', async () => {
  const { dependencies, logged, time } = scrubOf();
  const { documents } = dependencies.state;
  const customers = [await world.harness.customer(), await world.harness.customer()];
  for (const { id } of customers) await storeChain(world, id, signalChain(id, 700));
  await world.real.warehouse.command(
    `ALTER TABLE signals UPDATE model = 'x' WHERE customerId = '${customers[1]!.id}' AND \`index\` = 9 SETTINGS mutations_sync = 2`,
  );
  let slices = 0;
  while (await scrubSlice(dependencies, NEVER)) slices += 1;
  expect(slices).toBeGreaterThanOrEqual(4);
  expect(logged).toEqual([{ customerId: customers[1]!.id, index: 9, reason: 'MODIFIED' }]);
  for (const { id } of customers)
    expect((await verifiedLedger(documents, id)).pieces).toEqual([{ from: 0, to: 700, at: time.now }]);
  expect(await verifiedLedger(documents, customers[1]!.id)).toMatchObject({ broken: 9 });
  // The next round begins a day later.
  expect(await scrubSlice(dependencies, NEVER)).toBe(false);
  time.now += 86_400_000;
  expect(await scrubSlice(dependencies, NEVER)).toBe(true);
}, 120_000);

test('rests nine times as long as a slice took', async () => {
  const { dependencies } = scrubOf();
  let clockMs = 0;
  let slices = 0;
  const asked: number[] = [];
  const scrub = startLedgerScrub({
    ...dependencies,
    clock: () => {
      asked.push(clockMs);
      return clockMs;
    },
    state: {
      expiring: dependencies.state.expiring,
      documents: {
        write: async () => ({ ok: true, versions: [1] }),
        get: async () => {
          slices += 1;
          // So long does the slice take.
          clockMs += 1_000;
          return null;
        },
      } as never,
    },
  });
  // Before, at the beginning, twice at the end, and before the next.
  while (asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(slices).toBe(1);
  const seen = asked.length;
  clockMs += 8_000;
  while (asked.length < seen + 3) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(slices).toBe(1);
  clockMs += 2_000;
  while (slices < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  await scrub.stop();
}, 60_000);
