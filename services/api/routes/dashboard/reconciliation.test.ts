import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
  // What other tests left unfinished is not this customer's.
  await world.fold();
  await world.newCustomer();
});

const MINUTE_MS = 60_000;
const storePosition = (topic: string, partition: number, nextOffset: number): Promise<void> =>
  real.insert(POSITIONS, [
    { epoch: 1, topic, partition, nextOffset, lastDigest: '', lastAt: new Date().toISOString() },
  ]);

test('of audits of every kind, each number is the same from its own source', async () => {
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
    freshness: { complete: true },
  });
  expect(Date.parse(reconciliation.since)).toBeLessThanOrEqual(Date.parse(reconciliation.asOf));
});

test('of a customer without audits are zeros, and nothing was counted since', async () => {
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

  test('when the sink passed over a record of the log', async () => {
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

  test('when an audit was lost minutes ago, while others are under way', async () => {
    await world.history();
    world.harness.log.mode = 'loses';
    await world.accept(5);
    world.harness.log.mode = 'takes';
    await world.reconciliation();
    world.harness.skew += 30_000;
    await world.accept(6);
    expect(await world.reconciliation()).toMatchObject({
      balanced: true,
      missing: 0,
      freshness: { complete: false },
    });
    await world.fold();
    world.harness.skew += 4 * MINUTE_MS;
    await world.accept(7);
    expect(await world.reconciliation()).toMatchObject({
      balanced: false,
      missing: 1,
      freshness: { complete: false },
    });
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
});
