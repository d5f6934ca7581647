import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { erasureProgress } from '../../../../platform/directory/erasures.ts';
import type { LedgerEvent } from '../../../../platform/directory/ledger-events.ts';
import type { Keyring } from '../../../../platform/sealing/port.ts';
import type { ErasureScope } from '../../../../schemas/events/events.ts';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '../../../../schemas/topics.ts';
import { LEDGER_KINDS } from '../../../../schemas/vocabulary.ts';
import { removeErasedCustomers } from '../../../sink/jobs/erase-customers.ts';
import { erasureStep } from '../../jobs/erasure-steps.ts';
import { phaseWaits } from '../../jobs/phase-waits.ts';
import { type BooksWorld, startBooksWorld } from '../../testing/books-world.ts';
import { internalHeaders } from '../../testing/harness.ts';
import { readBooks } from '../../use-cases/books.ts';
import { entryMaker } from '../../use-cases/ledger-entries.ts';

let world: BooksWorld;
let real: BooksWorld['real'];

beforeAll(async () => {
  world = await startBooksWorld();
  ({ real } = world);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  world.harness.log.mode = 'takes';
  // What others left under way is not this customer's.
  await world.fold();
  await world.newCustomer();
});

describe('the books balance', () => {
  test.each(['DETAIL', 'ALL'] as const)('after signals were erased (%s)', async (scope) => {
    await world.history();
    await appendErasure(scope, [[0, 3]]);
    await world.fold();
    const books = await world.books();
    expect(books).toMatchObject({ accepted: 6, completed: 6, ledgerSignals: 6, admitted: 6, balanced: true });
    expect(books.erased).toBe(scope === 'ALL' ? 6 - books.stored : 0);
    expect(books.erased > 0).toBe(scope === 'ALL');
  });

  test('at every step of the erasure of a customer, and nothing stays counted', async () => {
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
      ...harness.parts,
      state,
      documents: state.documents,
      makeEntry: entryMaker(harness.parts),
      keyring: harness.parts.keyring as Keyring,
      crashPoint: () => undefined,
      waits: phaseWaits(harness.parts.now, () => performance.now()),
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
    await world.history();
    await world.books();
    const { admission } = world.harness.state;
    const { since } = (await admission.admittedCount(world.customer.id))!;
    await admission.removeAdmittedCount(world.customer.id);
    await admission.countAdmitted([{ customerId: world.customer.id, epoch: 1, acceptedAt: since, count: 2 }]);
    expect(await world.books()).toMatchObject({ admitted: 2, unacknowledged: 4, missing: 0, balanced: true });
    await admission.removeAdmittedCount(world.customer.id);
    await world.accept(5);
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
    await world.history();
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
