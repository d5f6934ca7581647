import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { POSITIONS } from '#schemas/tables/tables.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';

let world: ReconciliationWorld;
let real: ReconciliationWorld['real'];

beforeAll(async () => {
  world = await startReconciliationWorld();
  ({ real } = world);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  world.harness.log.mode = 'takes';
  // Finishes what other tests left, so that it does not affect this customer.
  await world.fold();
  await world.newCustomer();
});

const MINUTE_MS = 60_000;
const storePosition = (topic: string, partition: number, nextOffset: number): Promise<void> =>
  real.insert(POSITIONS, [
    { epoch: 1, topic, partition, nextOffset, lastDigest: '', lastAt: new Date().toISOString() },
  ]);

test('each number agrees with its own source for audits of every kind', async () => {
  await world.history();
  await world.accept(5);
  await world.fold();
  const reconciliation = await world.reconciliation();
  expect(reconciliation).toMatchObject({
    accepted: 7,
    stored: 6,
    inFlight: 1,
    balanced: true,
    difference: 0,
    admitted: 7,
    missing: 0,
    unacknowledged: 0,
    completed: 6,
    ledgerSignals: 6,
    erasedSignals: 0,
    signalDifference: 0,
    freshness: { complete: true },
  });
  expect(Date.parse(reconciliation.since)).toBeLessThanOrEqual(Date.parse(reconciliation.asOf));
});

test('the numbers of a customer without audits are zero, without a start of counting', async () => {
  await world.fold();
  expect(await world.reconciliation()).toMatchObject({
    accepted: 0,
    balanced: true,
    admitted: 0,
    since: null,
    unacknowledged: 0,
    ledgerSignals: 0,
  });
});

describe('the reconciliation does not balance', () => {
  test('when a row of an audit in flight is deleted from the audit list', async () => {
    await world.history();
    const auditId = await world.accept(5);
    await world.fold();
    await world.deleteRows('audits', `auditId = '${auditId}'`);
    expect(await world.reconciliation()).toMatchObject({
      accepted: 7,
      inFlight: 0,
      balanced: false,
      difference: 1,
      missing: 0,
      completed: 6,
      ledgerSignals: 6,
    });
  });

  test('when a row of a completed audit is deleted from the audit list', async () => {
    const [auditId] = await world.history();
    await world.deleteRows('audits', `auditId = '${auditId}'`);
    const reconciliation = await world.reconciliation();
    expect(reconciliation).toMatchObject({ balanced: false, difference: 1, completed: 5, ledgerSignals: 6 });
  });

  test('when an acknowledged audit never reached the log', async () => {
    await world.history();
    world.harness.log.mode = 'loses';
    await world.accept(5);
    await world.accept(6, 'six');
    world.harness.log.mode = 'takes';
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 6,
      admitted: 8,
      missing: 2,
      balanced: false,
      difference: 0,
    });
  });

  test('when the sink skipped a record of the log', async () => {
    await world.history();
    await world.accept(5);
    const { records } = world.harness.log;
    const lost = world.harness.log.of(TRIPLETS.name).at(-1)!;
    records.splice(records.indexOf(lost), 1);
    await world.fold();
    // It does not count as lost while it may still be read.
    expect(await world.reconciliation()).toMatchObject({
      balanced: true,
      missing: 0,
      freshness: { complete: false },
    });
    await storePosition(TRIPLETS.name, lost.partition, lost.offset + 1);
    world.harness.skew += 2_000;
    expect(await world.reconciliation()).toMatchObject({
      accepted: 6,
      admitted: 7,
      missing: 1,
      balanced: false,
    });
  });

  test('when an audit was lost, while others are in progress', async () => {
    await world.history();
    world.harness.log.mode = 'loses';
    await world.accept(5);
    world.harness.log.mode = 'takes';
    await world.accept(6);
    const lost = { balanced: false, missing: 1, difference: 0, freshness: { complete: false } };
    expect(await world.reconciliation()).toMatchObject(lost);
    await world.fold();
    await world.accept(7);
    expect(await world.reconciliation()).toMatchObject(lost);
  });

  test('when a signal is missing in the ledger', async () => {
    await world.history();
    await world.deleteRows('ledger', `customerId = '${world.customer.id}' AND kind = 'SIGNAL' AND index = 3`);
    expect(await world.reconciliation()).toMatchObject({
      balanced: false,
      difference: 0,
      missing: 0,
      completed: 6,
      ledgerSignals: 5,
    });
  });

  test('when acceptances are gone', async () => {
    const [auditId] = await world.history();
    await world.deleteRows('acceptances', `auditId = '${auditId}'`);
    expect(await world.reconciliation()).toMatchObject({ balanced: false, difference: -1, missing: 1 });
  });

  test('when signals of the audit list are gone', async () => {
    const [one, other] = await world.history();
    await world.deleteRows('signals', `auditId IN ('${one}', '${other}')`);
    expect(await world.reconciliation()).toMatchObject({
      stored: 4,
      listed: 6,
      balanced: false,
      difference: 0,
      signalDifference: 2,
      completed: 6,
      ledgerSignals: 6,
    });
  });

  test('when a signal is served that the ledger does not have', async () => {
    await world.history();
    await world.real.warehouse.command(
      `INSERT INTO signals SELECT * REPLACE ('01993d5a-0000-7000-8000-000000000001' AS auditId) FROM signals
       WHERE customerId = '${world.customer.id}' AND \`index\` = 3`,
    );
    expect(await world.reconciliation()).toMatchObject({
      stored: 7,
      listed: 6,
      balanced: false,
      difference: 0,
      signalDifference: -1,
    });
  });

  test('when a signal and its rows in the list are gone but the ledger has its entry', async () => {
    const [auditId] = await world.history();
    for (const table of ['signals', 'audits', 'acceptances'])
      await world.deleteRows(table, `auditId = '${auditId}'`);
    expect(await world.reconciliation()).toMatchObject({
      stored: 5,
      balanced: false,
      difference: 0,
      signalDifference: 1,
      missing: 1,
    });
  });
});

test('if more records wait than it reads, all count as the customer’s', async () => {
  await world.history();
  world.harness.log.mode = 'loses';
  await world.accept(5);
  world.harness.log.mode = 'takes';
  const other = await world.harness.customer();
  // The world's own entries may wait in the partition of the customer's ledger.
  await world.fold();
  const stray = { topic: TRIPLETS.name, headers: { customerId: other.id }, value: Buffer.alloc(0) };
  const append = (records: number) =>
    world.harness.log.append(Array.from({ length: records }, (_, n) => ({ ...stray, key: `${n}` })));
  await append(256);
  expect(await world.reconciliation()).toMatchObject({ missing: 1, balanced: false });
  await append(1);
  expect(await world.reconciliation()).toMatchObject({ missing: 0, balanced: true });
});

const HOUR_MS = 60 * MINUTE_MS;

/** Steps of the host's clock, as ms from the true time. Between two of them audits are accepted and stored. */
test.each([
  ['set back by an hour, and forward again', [0, -HOUR_MS, 0]],
  ['an hour fast, and then right', [HOUR_MS, 0, 2 * MINUTE_MS, 20 * MINUTE_MS]],
  ['set back repeatedly', [0, -HOUR_MS, -2 * HOUR_MS, -59_000, -90_000, 0]],
])('a clock that was %s leaves nothing missing, whatever is waiting', async (_, skews) => {
  await world.history();
  for (const skew of skews) {
    world.harness.skew = skew;
    for (let minute = 0; minute < 20; minute += 1) {
      await world.accept(minute, minute % 2 === 0 ? `${skew} ${minute}` : undefined);
      world.harness.skew += MINUTE_MS;
    }
    await world.fold();
    await world.accept(99);
    expect(await world.reconciliation()).toMatchObject({ missing: 0, balanced: true });
  }
});
