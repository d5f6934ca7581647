import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { erasureProgress } from '../../../../platform/directory/erasures.ts';
import type { LedgerEvent } from '../../../../platform/directory/ledger-events.ts';
import type { Keyring } from '../../../../platform/sealing/port.ts';
import { LEASE_MS, type State, StateUnavailable } from '../../../../platform/state/port.ts';
import type { ErasureScope } from '../../../../schemas/events/events.ts';
import { LEDGER as LEDGER_TABLE, type LedgerRow, POSITIONS } from '../../../../schemas/tables/tables.ts';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '../../../../schemas/topics.ts';
import { LEDGER_KINDS } from '../../../../schemas/vocabulary.ts';
import { removeErasedCustomers } from '../../../sink/jobs/erase-customers.ts';
import { erasureStep } from '../../jobs/erasure-steps.ts';
import { type BooksWorld, startBooksWorld, triplet } from '../../testing/books-world.ts';
import { internalHeaders } from '../../testing/harness.ts';
import { readBooks } from '../../use-cases/books.ts';
import { entryMaker } from '../../use-cases/ledger-entries.ts';

/** Every answer that is remembered from now on is lost on its way: the state has it or not. */
let settling: 'works' | 'answer lost' | 'refused' = 'works';
/** Of counts without a key. */
let counting: 'works' | 'answer lost' = 'works';
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
  admission: {
    ...state.admission,
    countAdmitted: async (admitted) => {
      await state.admission.countAdmitted(admitted);
      if (counting === 'answer lost') throw new StateUnavailable('the answer was lost');
    },
  },
});

let world: BooksWorld;
let real: BooksWorld['real'];

beforeAll(async () => {
  world = await startBooksWorld({ wrapState });
  ({ real } = world);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  [settling, counting] = ['works', 'works'];
  world.harness.log.mode = 'takes';
  // What others left under way is not this customer's.
  await world.fold();
  await world.newCustomer();
});

const MINUTE_MS = 60_000;
const accepted = async (answer: ReturnType<BooksWorld['ingest']>): Promise<string> => {
  const { status, body } = await answer;
  expect(status).toBe(202);
  return body.auditId;
};
/** Two audits of each kind of request, analysed and stored. */
async function history(): Promise<string[]> {
  const ids = [await accepted(world.ingest(1)), await accepted(world.ingest(2, 'two'))];
  const batches = [await world.batch([triplet(3)]), await world.batch([triplet(4)], 'four')];
  const signals = [await world.signal(), await world.signal()];
  await world.analyse();
  await world.fold();
  return [
    ...ids,
    ...batches.map(({ body }) => body.data[0].auditId),
    ...signals.map(({ body }) => body.auditId),
  ];
}
const sentTriplets = () =>
  world.harness.log.of(TRIPLETS.name).filter(({ headers }) => headers.customerId === world.customer.id);
const storePosition = (topic: string, partition: number, nextOffset: number): Promise<void> =>
  real.insert(POSITIONS, [
    { epoch: 1, topic, partition, nextOffset, lastDigest: '', lastAt: new Date().toISOString() },
  ]);

test('of audits of every kind, each number is the same from its own source', async () => {
  await history();
  await accepted(world.ingest(5));
  await world.fold();
  const books = await world.books();
  expect(books).toMatchObject({
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
  expect(Date.parse(books.since)).toBeLessThanOrEqual(Date.parse(books.asOf));
});

test('of a customer without audits are zeros, and nothing was counted since', async () => {
  await world.fold();
  expect(await world.books()).toMatchObject({
    accepted: 0,
    balanced: true,
    admitted: 0,
    since: null,
    unacknowledged: 0,
    ledgerSignals: 0,
  });
});

describe('the books do not balance', () => {
  test('when a row of an audit in flight is deleted from the audit list', async () => {
    await history();
    const auditId = await accepted(world.ingest(5));
    await world.fold();
    await world.deleteRows('audits', `auditId = '${auditId}'`);
    expect(await world.books()).toMatchObject({
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
    const [auditId] = await history();
    await world.deleteRows('audits', `auditId = '${auditId}'`);
    const books = await world.books();
    expect(books).toMatchObject({ balanced: false, difference: 1, completed: 5, ledgerSignals: 6 });
  });

  test('when an acknowledged audit never reached the log', async () => {
    await history();
    world.harness.log.mode = 'loses';
    await accepted(world.ingest(5));
    await accepted(world.ingest(6, 'six'));
    world.harness.log.mode = 'takes';
    await world.fold();
    expect(await world.books()).toMatchObject({
      accepted: 6,
      admitted: 8,
      missing: 2,
      balanced: false,
      difference: 0,
    });
  });

  test('when the sink passed over a record of the log', async () => {
    await history();
    await accepted(world.ingest(5));
    const { records } = world.harness.log;
    const lost = world.harness.log.of(TRIPLETS.name).at(-1)!;
    records.splice(records.indexOf(lost), 1);
    await world.fold();
    // Nobody would call it lost while it may still be read.
    expect(await world.books()).toMatchObject({ balanced: true, missing: 0, freshness: { complete: false } });
    await storePosition(TRIPLETS.name, lost.partition, lost.offset + 1);
    world.harness.skew += 2_000;
    expect(await world.books()).toMatchObject({ accepted: 6, admitted: 7, missing: 1, balanced: false });
  });

  test('when an audit was lost minutes ago, while others are under way', async () => {
    await history();
    world.harness.log.mode = 'loses';
    await accepted(world.ingest(5));
    world.harness.log.mode = 'takes';
    await world.books();
    world.harness.skew += 30_000;
    await accepted(world.ingest(6));
    expect(await world.books()).toMatchObject({ balanced: true, missing: 0, freshness: { complete: false } });
    await world.fold();
    world.harness.skew += 4 * MINUTE_MS;
    await accepted(world.ingest(7));
    expect(await world.books()).toMatchObject({
      balanced: false,
      missing: 1,
      freshness: { complete: false },
    });
  });

  test('when a signal is missing in the ledger', async () => {
    await history();
    await world.deleteRows('ledger', `customerId = '${world.customer.id}' AND kind = 'SIGNAL' AND index = 3`);
    expect(await world.books()).toMatchObject({
      balanced: false,
      difference: 0,
      missing: 0,
      completed: 6,
      ledgerSignals: 5,
    });
  });

  test('when acceptances are gone', async () => {
    const [auditId] = await history();
    await world.deleteRows('acceptances', `auditId = '${auditId}'`);
    expect(await world.books()).toMatchObject({ balanced: false, difference: -1, missing: 1 });
  });
});

describe('the books balance', () => {
  test('when answers were lost, whether or not the client repeats', async () => {
    await history();
    world.harness.log.mode = 'lost answer';
    expect((await world.ingest(5)).status).toBe(503);
    expect((await world.ingest(6, 'six')).status).toBe(503);
    expect((await world.batch([triplet(7), triplet(8)])).status).toBe(400);
    world.harness.log.mode = 'takes';
    await accepted(world.ingest(6, 'six'));
    expect(sentTriplets()).toHaveLength(9);
    await world.analyse();
    await world.fold();
    expect(await world.books()).toMatchObject({
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
      await history();
      settling = how;
      const first = await accepted(world.ingest(5, 'five'));
      settling = 'works';
      expect(await world.books()).toMatchObject({ admitted: how === 'refused' ? 6 : 7, balanced: true });
      world.harness.skew += LEASE_MS;
      expect(await accepted(world.ingest(5, 'five'))).toBe(first);
      expect(await accepted(world.ingest(5, 'five'))).toBe(first);
      await world.analyse();
      await world.fold();
      expect(await world.books()).toMatchObject({
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
    await history();
    world.harness.log.mode = 'lost answer';
    await world.batch([triplet(5), triplet(6), { prompt: 'no triplet' }], 'five');
    world.harness.log.mode = 'takes';
    const { body } = await world.batch([triplet(5), triplet(6), { prompt: 'no triplet' }], 'five');
    expect([body.accepted, body.rejected]).toEqual([2, 1]);
    await world.fold();
    expect(await world.books()).toMatchObject({
      accepted: 8,
      admitted: 8,
      unacknowledged: 0,
      balanced: true,
    });
  });

  test('when it is not known whether the counts of a second were written: they are not written again', async () => {
    await history();
    counting = 'answer lost';
    await accepted(world.ingest(5));
    await world.books();
    counting = 'works';
    await accepted(world.ingest(6));
    await world.fold();
    expect(await world.books()).toMatchObject({ accepted: 8, admitted: 8, balanced: true });
  });

  test('when a signal of the platform is sent again', async () => {
    const given = '0b5f1c1e-7a52-4c6e-9d2b-3f6a1e0c9d11';
    expect((await world.signal(given)).status).toBe(201);
    expect((await world.signal(given)).status).toBe(200);
    await world.fold();
    expect(await world.books()).toMatchObject({ accepted: 1, admitted: 1, ledgerSignals: 1, balanced: true });
  });

  test('while the sink is behind, and in the middle of a flush', async () => {
    await history();
    await accepted(world.ingest(5));
    await world.analyse();
    expect(await world.books()).toMatchObject({ accepted: 6, admitted: 7, missing: 0, balanced: true });
    // The entry of the chain is there, its audit and its position are not.
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
    expect(await world.books()).toMatchObject({ completed: 6, ledgerSignals: 6, balanced: true });
  });

  test('after a dead letter and its replay', async () => {
    await history();
    const auditId = await accepted(world.ingest(5));
    const sent = world.harness.log.of(TRIPLETS.name).at(-1)!;
    const headers = { ...sent.headers, attempt: '4', 'x-failure-code': 'ANALYSIS_FAILED' };
    await world.harness.log.append([{ ...sent, topic: DEAD_LETTERS.name, headers }]);
    await world.fold();
    expect(await world.books()).toMatchObject({ accepted: 7, deadLettered: 1, admitted: 7, balanced: true });
    await world.harness.log.append([{ ...sent, headers: { ...sent.headers, generation: '1' } }]);
    await world.analyse();
    await world.fold();
    expect(await world.books()).toMatchObject({ accepted: 7, stored: 7, admitted: 7, balanced: true });
    expect(auditId).toBe(sent.headers.auditId);
  });

  test.each(['DETAIL', 'ALL'] as const)('after signals were erased (%s)', async (scope) => {
    await history();
    await appendErasure(scope, [[0, 3]]);
    await world.fold();
    const books = await world.books();
    expect(books).toMatchObject({ accepted: 6, completed: 6, ledgerSignals: 6, admitted: 6, balanced: true });
    expect(books.erased).toBe(scope === 'ALL' ? 6 - books.stored : 0);
    expect(books.erased > 0).toBe(scope === 'ALL');
  });

  test('at every step of the erasure of a customer, and nothing stays counted', async () => {
    await history();
    await accepted(world.ingest(5));
    const sent = world.harness.log.of(TRIPLETS.name).at(-1)!;
    await accepted(world.ingest(6));
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
      ...harness.parts,
      state,
      documents: state.documents,
      makeEntry: entryMaker(harness.parts),
      keyring: harness.parts.keyring as Keyring,
      crashPoint: () => undefined,
      stopping: new AbortController().signal,
    };
    const removal = { ...steps, expiring: state.expiring };
    const balances = async () => {
      const books = await readBooks(
        {
          ...harness.parts,
          freshness: async () => ({ lagSeconds: 0, complete: true }),
          admitted: { epoch: 1, write: async () => undefined },
        },
        customer.id,
      );
      expect(books).toMatchObject({ balanced: true, difference: 0, missing: 0 });
      return books;
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
    await history();
    await world.books();
    const { admission } = world.harness.state;
    const { since } = (await admission.admittedCount(world.customer.id))!;
    await admission.removeAdmittedCount(world.customer.id);
    await admission.countAdmitted([{ customerId: world.customer.id, epoch: 1, acceptedAt: since, count: 2 }]);
    expect(await world.books()).toMatchObject({ admitted: 2, unacknowledged: 4, missing: 0, balanced: true });
    await admission.removeAdmittedCount(world.customer.id);
    await accepted(world.ingest(5));
    await world.fold();
    expect(await world.books()).toMatchObject({
      accepted: 7,
      admitted: 1,
      unacknowledged: 0,
      missing: 0,
      balanced: true,
    });
  });

  test('in a new epoch of the log that begins without what the warehouse held', async () => {
    await history();
    await world.books();
    await real.clear();
    const parts = {
      ...world.harness.parts,
      freshness: async () => ({ lagSeconds: 0, complete: true }),
      admitted: { epoch: 2, write: async () => undefined },
    };
    const { customer } = world;
    expect(await readBooks(parts, customer.id)).toMatchObject({ admitted: 0, since: null, balanced: true });
    const counted = { customerId: customer.id, epoch: 2, acceptedAt: world.harness.parts.now(), count: 1 };
    await world.harness.state.admission.countAdmitted([counted]);
    // Of the new epoch everything counts.
    expect(await readBooks(parts, customer.id)).toMatchObject({ admitted: 1, missing: 1, balanced: false });
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
    at: new Date(world.harness.parts.now()).toISOString(),
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
  const entry = await entryMaker(world.harness.parts)(event);
  const { topic, key, valueBase64, headers } = entry;
  await world.harness.log.append([{ topic, key, value: Buffer.from(valueBase64, 'base64'), headers }]);
  expect(topic).toBe(LEDGER.name);
}
