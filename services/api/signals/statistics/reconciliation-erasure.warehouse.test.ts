import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Keyring } from '#platform/sealing/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { LedgerEvent } from '#records/changes/ledger-events.ts';
import { erasureProgress } from '#records/erasure/erasures.ts';
import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { LEDGER_KINDS } from '#schemas/vocabulary.ts';
import { removeErasedCustomers } from '#services/sink/jobs/erase-customers.ts';
import { erasureStep } from '../../operators/erasure/erasure-steps.ts';
import { phaseWaits } from '../../operators/erasure/phase-waits.ts';
import { internalHeaders } from '../../testing/harness.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';
import { readReconciliation } from './reconciliation.ts';

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

describe('the reconciliation balances', () => {
  test.each(['DETAIL', 'ALL'] as const)('after signals were erased (%s)', async (scope) => {
    await world.history();
    await appendErasure(scope, [[0, 3]]);
    await world.fold();
    const reconciliation = await world.reconciliation();
    expect(reconciliation).toMatchObject({
      accepted: 6,
      completed: 6,
      ledgerSignals: 6,
      admitted: 6,
      balanced: true,
    });
    expect(reconciliation.erased).toBe(scope === 'ALL' ? 6 - reconciliation.stored : 0);
    expect(reconciliation.erasedSignals).toBe(reconciliation.erased);
    expect(reconciliation.erased > 0).toBe(scope === 'ALL');
  });

  test('at every step of a customer’s erasure, and then counts nothing', async () => {
    await world.history();
    await world.accept(5);
    const sent = world.harness.log.of(TRIPLETS.name).at(-1)!;
    await world.accept(6);
    await world.harness.log.append([
      {
        ...sent,
        topic: DEAD_LETTERS.name,
        headers: { ...sent.headers, 'x-failure-code': 'ANALYSIS_FAILED' },
      },
    ]);
    const { harness, customer } = world;
    const removed = await harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}`,
      headers: internalHeaders,
    });
    expect(removed.status).toBe(202);
    const { state } = harness;
    const steps = {
      ...harness.dependencies,
      state,
      documents: state.documents,
      makeEntry: entryMaker(harness.dependencies),
      keyring: harness.dependencies.keyring as Keyring,
      probe: () => undefined,
      waits: phaseWaits(harness.dependencies.now, () => performance.now()),
      stopping: new AbortController().signal,
    };
    const removal = { ...steps, expiring: state.expiring };
    const balances = async () => {
      const reconciliation = await readReconciliation(
        {
          ...harness.dependencies,
          freshness: async () => ({ lagSeconds: 0, complete: true }),
          admitted: { epoch: 1, write: async () => undefined },
        },
        customer.id,
      );
      expect(reconciliation).toMatchObject({ balanced: true, difference: 0, missing: 0 });
      return reconciliation;
    };
    for (let ended = false; !ended; ) {
      await world.fold();
      await balances();
      await removeErasedCustomers(removal);
      await balances();
      ended = (await erasureStep(steps, customer.id)) === 'ended';
      await harness.settled();
      harness.skew += 6_000;
    }
    expect(await erasureProgress(state.documents, customer.id)).toBeNull();
    expect(await balances()).toMatchObject({
      accepted: 8,
      erased: 8,
      completed: 6,
      ledgerSignals: 6,
      admitted: 0,
    });
    expect(await state.admission.admittedCount(customer.id)).toBeNull();
  });

  test('when the state is older than the rest', async () => {
    await world.history();
    await world.reconciliation();
    const { admission } = world.harness.state;
    const { since } = (await admission.admittedCount(world.customer.id))!;
    await admission.removeAdmittedCount(world.customer.id);
    await admission.countAdmitted([{ customerId: world.customer.id, epoch: 1, acceptedAt: since, count: 2 }]);
    expect(await world.reconciliation()).toMatchObject({
      admitted: 2,
      unacknowledged: 4,
      missing: 0,
      balanced: true,
    });
    await admission.removeAdmittedCount(world.customer.id);
    await world.accept(5);
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 7,
      admitted: 1,
      unacknowledged: 0,
      missing: 0,
      balanced: true,
    });
  });

  test('in a new epoch of the log that starts without what the warehouse held', async () => {
    await world.history();
    await world.reconciliation();
    await real.clear();
    const dependencies = {
      ...world.harness.dependencies,
      freshness: async () => ({ lagSeconds: 0, complete: true }),
      admitted: { epoch: 2, write: async () => undefined },
      log: { bounds: async () => ({ start: 0, end: 0 }), read: async () => null },
    };
    const { customer } = world;
    expect(await readReconciliation(dependencies, customer.id)).toMatchObject({
      admitted: 0,
      since: null,
      balanced: true,
    });
    const counted = {
      customerId: customer.id,
      epoch: 2,
      acceptedAt: world.harness.dependencies.now(),
      count: 1,
    };
    await world.harness.state.admission.countAdmitted([counted]);
    // In the new epoch everything counts.
    expect(await readReconciliation(dependencies, customer.id)).toMatchObject({
      admitted: 1,
      missing: 1,
      balanced: false,
    });
  });
});

async function appendErasure(
  scope: ErasureScope,
  ranges: readonly (readonly [number, number])[],
): Promise<void> {
  const event: LedgerEvent = {
    kind: 'ERASURE',
    id: `erasure-${scope}`,
    customerId: world.customer.id,
    at: new Date(world.harness.dependencies.now()).toISOString(),
    core: {
      ranges,
      kinds: [...LEDGER_KINDS],
      scope,
      reason: 'DATA_SUBJECT_REQUEST',
      basis: null,
      policyId: null,
      closing: false,
    },
    detail: { actor: 'platform' },
  };
  const entry = await entryMaker(world.harness.dependencies)(event);
  const { topic, key, valueBase64, headers } = entry;
  await world.harness.log.append([{ topic, key, value: Buffer.from(valueBase64, 'base64'), headers }]);
  expect(topic).toBe(LEDGER.name);
}
