import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { LEASE_MS, type State, StateUnavailable } from '#platform/state/port.ts';
import { LEDGER as LEDGER_TABLE, type LedgerRow } from '#schemas/tables/tables.ts';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '#schemas/topics.ts';
import {
  type ReconciliationWorld,
  startReconciliationWorld,
  triplet,
} from '../../testing/reconciliation-world.ts';

/** Applies to each write of a remembered answer from now on. If its reply is lost, the state may or may not have it. */
let settling: 'works' | 'answer lost' | 'refused' = 'works';
/** Same, for counts without a key. */
let counting: 'works' | 'answer lost' = 'works';
/**
 * Same, for notes that a platform signal is in the log; `not confirmed`: the state has the note, but no replica has
 * confirmed it.
 */
let noting: 'works' | 'not confirmed' = 'works';
/** Names of values that no replica confirmed. */
const unconfirmed = new Set<string>();
const wrapState = (state: State): State => ({
  ...state,
  idempotency: {
    ...state.idempotency,
    settle: async (...args) => {
      if (settling === 'refused') throw new StateUnavailable('refused');
      const answer = await state.idempotency.settle(...args);
      if (settling === 'answer lost') throw new StateUnavailable('the answer was lost');
      return answer;
    },
  },
  expiring: {
    ...state.expiring,
    setIfAbsent: async (key, ...args) => {
      unconfirmed.add(key);
      return state.expiring.setIfAbsent(key, ...args);
    },
    claim: async (key, ...args) => {
      const isFirst = await state.expiring.claim(key, ...args);
      if (noting === 'not confirmed' && key.endsWith(':appended'))
        throw new StateUnavailable('no replica has confirmed it');
      return isFirst;
    },
  },
  admission: {
    ...state.admission,
    countAdmitted: async (admitted) => {
      await state.admission.countAdmitted(admitted);
      if (counting === 'answer lost') throw new StateUnavailable('the answer was lost');
    },
  },
});

/** Fails over to a server that missed everything unconfirmed. */
async function failOver(): Promise<void> {
  for (const key of unconfirmed) await world.harness.state.expiring.delete(key);
  unconfirmed.clear();
}

let world: ReconciliationWorld;
let real: ReconciliationWorld['real'];

beforeAll(async () => {
  world = await startReconciliationWorld({ wrapState });
  ({ real } = world);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  [settling, counting, noting] = ['works', 'works', 'works'];
  unconfirmed.clear();
  world.harness.log.mode = 'takes';
  // Finishes what other tests left, so that it does not affect this customer.
  await world.fold();
  await world.newCustomer();
});

const sentTriplets = () =>
  world.harness.log.of(TRIPLETS.name).filter(({ headers }) => headers.customerId === world.customer.id);

/** Entries of the customer's audit in the log, repeats included. */
const appended = (auditId: string): number =>
  world.harness.log
    .of(LEDGER.name)
    .filter(({ key, headers }) => key === world.customer.id && headers.auditId === auditId).length;

describe('the reconciliation balances', () => {
  test('when answers were lost, whether or not the client repeats', async () => {
    await world.history();
    world.harness.log.mode = 'lost answer';
    expect((await world.ingest(5)).status).toBe(503);
    expect((await world.ingest(6, 'six')).status).toBe(503);
    expect((await world.batch([triplet(7), triplet(8)])).status).toBe(400);
    world.harness.log.mode = 'takes';
    await world.accept(6, 'six');
    expect(sentTriplets()).toHaveLength(9);
    await world.analyse();
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 10,
      admitted: 7,
      unacknowledged: 3,
      missing: 0,
      balanced: true,
      difference: 0,
      completed: 10,
      ledgerSignals: 10,
    });
  });

  test.each(['refused', 'answer lost'] as const)(
    'when an attempt under a key is taken over after its answer was not remembered (%s)',
    async (how) => {
      await world.history();
      settling = how;
      const first = await world.accept(5, 'five');
      settling = 'works';
      expect(await world.reconciliation()).toMatchObject({
        admitted: how === 'refused' ? 6 : 7,
        balanced: true,
      });
      world.harness.skew += LEASE_MS;
      expect(await world.accept(5, 'five')).toBe(first);
      expect(await world.accept(5, 'five')).toBe(first);
      await world.analyse();
      await world.fold();
      expect(await world.reconciliation()).toMatchObject({
        accepted: 7,
        admitted: 7,
        unacknowledged: 0,
        missing: 0,
        balanced: true,
        completed: 7,
        ledgerSignals: 7,
      });
    },
  );

  test('when a batch is repeated with its key after some of it failed', async () => {
    await world.history();
    world.harness.log.mode = 'lost answer';
    await world.batch([triplet(5), triplet(6), { prompt: 'no triplet' }], 'five');
    world.harness.log.mode = 'takes';
    const { body } = await world.batch([triplet(5), triplet(6), { prompt: 'no triplet' }], 'five');
    expect([body.accepted, body.rejected]).toEqual([2, 1]);
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 8,
      admitted: 8,
      unacknowledged: 0,
      balanced: true,
    });
  });

  test('when the result of writing a second’s counts is unknown, and does not write them again', async () => {
    await world.history();
    counting = 'answer lost';
    await world.accept(5);
    await world.reconciliation();
    counting = 'works';
    await world.accept(6);
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({ accepted: 8, admitted: 8, balanced: true });
  });

  test('when a signal of the platform is sent again', async () => {
    const given = '0b5f1c1e-7a52-4c6e-9d2b-3f6a1e0c9d11';
    expect((await world.signal(given)).status).toBe(201);
    expect((await world.signal(given)).status).toBe(200);
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 1,
      admitted: 1,
      ledgerSignals: 1,
      balanced: true,
    });
  });

  test('when a signal of the platform is sent again after a fail-over', async () => {
    const given = '0b5f1c1e-7a52-4c6e-9d2b-3f6a1e0c9d11';
    const first = await world.signal(given);
    await failOver();
    const repeat = await world.signal(given);
    expect([first.status, repeat.status, repeat.body]).toEqual([201, 200, first.body]);
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 1,
      admitted: 1,
      missing: 0,
      balanced: true,
    });
  });

  test('without counting a platform signal that no replica confirmed', async () => {
    const given = '0b5f1c1e-7a52-4c6e-9d2b-3f6a1e0c9d11';
    await world.signal();
    noting = 'not confirmed';
    const refused = await world.signal(given);
    expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    noting = 'works';
    const repeat = await world.signal(given);
    expect([repeat.status, appended(given)]).toEqual([200, 1]);
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 2,
      admitted: 1,
      unacknowledged: 1,
      missing: 0,
      balanced: true,
    });
    const { headers } = world.customer;
    const stored = await world.harness.call({ url: `/dashboard/signals/${given}`, headers });
    expect(stored.body.data).toMatchObject(repeat.body.data);
  });

  test('while the sink is behind, and in the middle of a flush', async () => {
    await world.history();
    await world.accept(5);
    await world.analyse();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 6,
      admitted: 7,
      missing: 0,
      balanced: true,
    });
    // The chain has the entry; its audit and its position are missing.
    const [last] = await real.warehouse.query<LedgerRow>(
      `SELECT * FROM ledger WHERE customerId = '${world.customer.id}' ORDER BY index DESC LIMIT 1`,
    );
    const next = {
      ...last!,
      index: last!.index + 1,
      offset: last!.offset + 1,
      entryId: 'SIGNAL:next',
      id: 'next',
    };
    await real.insert(LEDGER_TABLE, [next]);
    expect(await world.reconciliation()).toMatchObject({ completed: 6, ledgerSignals: 6, balanced: true });
  });

  test('after a dead letter and its replay', async () => {
    await world.history();
    const auditId = await world.accept(5);
    const sent = world.harness.log.of(TRIPLETS.name).at(-1)!;
    const headers = { ...sent.headers, attempt: '4', 'x-failure-code': 'ANALYSIS_FAILED' };
    await world.harness.log.append([{ ...sent, topic: DEAD_LETTERS.name, headers }]);
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 7,
      deadLettered: 1,
      admitted: 7,
      balanced: true,
    });
    await world.harness.log.append([{ ...sent, headers: { ...sent.headers, generation: '1' } }]);
    await world.analyse();
    await world.fold();
    expect(await world.reconciliation()).toMatchObject({
      accepted: 7,
      stored: 7,
      admitted: 7,
      balanced: true,
    });
    expect(auditId).toBe(sent.headers.auditId);
  });
});
