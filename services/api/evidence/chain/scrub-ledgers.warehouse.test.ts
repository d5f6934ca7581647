import { afterAll, beforeAll, expect, test } from '#jest';
import { verifiedLedger } from '#records/ledger/verified-ledger.ts';
import { signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';
import { logEndOf, passesHere } from './passes.ts';
import { type ScrubDependencies, scrubSlice, startLedgerScrub } from './scrub-ledgers.ts';

const NEVER = new AbortController().signal;
const DAY_MS = 86_400_000;
let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());

function scrubOf() {
  const { warehouse, state, log } = world.harness.dependencies;
  const logged: object[] = [];
  const counted: string[] = [];
  const time = { now: Date.UTC(2026, 10, 24) };
  const dependencies: ScrubDependencies = {
    warehouse,
    state,
    passes: passesHere({ warehouse, logEnd: logEndOf(log) }),
    logger: { warn() {}, error: (fields: object) => void logged.push(fields) } as never,
    metrics: { ledgerFault: (reason) => void counted.push(reason) },
    now: () => time.now,
    clock: () => performance.now(),
  };
  return { dependencies, logged, counted, time };
}

/** Runs slices until nothing is due for this long, ms; advances the time as each slice requires. */
async function scrubFor(
  dependencies: ScrubDependencies,
  time: { now: number },
  ms: number,
): Promise<number[]> {
  const until = time.now + ms;
  const waits: number[] = [];
  while (time.now < until) {
    waits.push(Math.max(1, await scrubSlice(dependencies, NEVER)));
    time.now += waits.at(-1)!;
  }
  return waits;
}

test('a round covers every ledger within a day, saves what it re-hashed, and reports faults', async () => {
  const { dependencies, logged, time } = scrubOf();
  const { documents } = dependencies.state;
  const customers = [await world.harness.customer(), await world.harness.customer()];
  for (const { id } of customers) await storeChain(world, id, signalChain(id, 700));
  const { id: listed } = signalChain(customers[0]!.id, 6).ledger[5]!;
  await world.real.warehouse.command(
    `ALTER TABLE audits UPDATE riskLevel = 'LOW' WHERE customerId = '${customers[0]!.id}' AND auditId = '${listed}' SETTINGS mutations_sync = 2`,
  );
  await world.real.warehouse.command(
    `ALTER TABLE signals UPDATE model = 'x' WHERE customerId = '${customers[1]!.id}' AND \`index\` = 9 SETTINGS mutations_sync = 2`,
  );
  const begin = time.now;
  await scrubFor(dependencies, time, DAY_MS);
  expect(logged).toEqual([
    { customerId: customers[0]!.id, index: 5, id: listed, reason: 'DERIVED_CHANGED' },
    { customerId: customers[1]!.id, index: 9, reason: 'MODIFIED' },
  ]);
  const [first, second] = await Promise.all(customers.map(({ id }) => verifiedLedger(documents, id)));
  expect([first!.pieces, second!.pieces]).toMatchObject([[{ from: 0, to: 700 }], [{ from: 0, to: 700 }]]);
  expect(second).toMatchObject({ broken: 9 });
  // Half of the entries take half of the day.
  const [at, then] = [first!.pieces[0]!.at, second!.pieces[0]!.at];
  expect(then - at).toBeGreaterThan(0.4 * DAY_MS);
  expect(then).toBeLessThan(begin + DAY_MS);
  // The next round starts a day after this one started, with the first customer.
  await scrubFor(dependencies, time, DAY_MS / 4);
  const again = await verifiedLedger(documents, customers[0]!.id);
  expect(again.pieces[0]!.at).toBeGreaterThanOrEqual(begin + DAY_MS);
}, 120_000);

test('the pause is shorter with more entries, and unaffected by a clock set back', async () => {
  const { dependencies, time } = scrubOf();
  const slices: number[] = [];
  let rows = 1_000;
  let document = {
    customerId: 'a',
    index: 0,
    since: time.now,
    last: { at: time.now, entries: 500, restMs: 0 },
  };
  const waits = (): Promise<number> =>
    scrubSlice(
      {
        ...dependencies,
        warehouse: { query: async (sql: string) => (sql.includes('AS rows') ? [{ rows }] : []) } as never,
        state: {
          ...dependencies.state,
          documents: {
            get: async () => ({ version: 1, value: document }),
            write: async () => {
              slices.push(time.now);
              return { ok: true, versions: [2] };
            },
          } as never,
        },
      },
      NEVER,
    );
  expect(await waits()).toBe(DAY_MS / 2);
  rows = 10_000;
  expect(await waits()).toBe(DAY_MS / 20);
  time.now += DAY_MS / 20 - 1;
  expect(await waits()).toBe(1);
  expect(slices).toEqual([]);
  time.now += 1;
  await waits();
  document = { ...document, last: { ...document.last, at: time.now + 10 * DAY_MS } };
  await waits();
  expect(slices).toEqual([time.now, time.now]);
});

test('the scrub rests nineteen times as long as a slice took', async () => {
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
          // Duration of the slice.
          clockMs += 1_000;
          return null;
        },
      } as never,
    },
  });
  // Before, at the start, twice at the end, and before the next.
  while (asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(slices).toBe(1);
  const seen = asked.length;
  clockMs += 18_000;
  while (asked.length < seen + 3) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(slices).toBe(1);
  clockMs += 2_000;
  while (slices < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  await scrub.stop();
}, 60_000);
