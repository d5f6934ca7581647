import { expect, test } from '#jest';
import type { Reservation, ReserveOutcome } from './port.ts';
import {
  CUSTOMER,
  customer,
  idempotencyKey,
  NOON,
  putCustomer,
  putSandbox,
  reserveRequest,
  sandbox,
  seedCustomer,
} from './testing/contract-seed.ts';
import type { Subject } from './testing/subject.ts';

const SHOWN = { sandboxId: 'id-of-support-bot', sandboxVersion: 3, sandboxSlug: 'support-bot' };

function reservationOf(outcome: ReserveOutcome): Reservation {
  if (outcome.kind !== 'begun') throw new Error(`expected a reservation, not ${outcome.kind}`);
  return outcome.seed;
}

const acceptedIds = (reservation: Reservation): string[] =>
  reservation.items.flatMap((item) => ('auditId' in item ? [item.auditId] : []));

export function describeReserveContract(subject: Subject): void {
  const admission = () => subject().state.admission;
  const reserve = (...request: Parameters<typeof reserveRequest>) =>
    admission().reserve(reserveRequest(...request));

  test('accepts with the version of the sandbox and counts the audit', async () => {
    await seedCustomer(subject().state);
    expect(await reserve(['a1'])).toEqual({
      kind: 'begun',
      takenOver: false,
      seed: { items: [{ auditId: 'a1', ...SHOWN }], acceptedAt: NOON, nonce: 'ab'.repeat(32) },
    });
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toEqual({
      acceptedAt: NOON,
      sandboxId: SHOWN.sandboxId,
      sandboxSlug: SHOWN.sandboxSlug,
      provider: 'openai',
      model: 'gpt-5',
    });
    await subject().reopen();
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).not.toBeNull();
  });

  test('an early reservation is visible at once, and durable when it says so', async () => {
    await seedCustomer(subject().state);
    const outcome = await reserve(['a1'], { early: true });
    expect(acceptedIds(reservationOf(outcome))).toEqual(['a1']);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).not.toBeNull();
    if (outcome.kind === 'begun') await outcome.durable;
    await subject().reopen();
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).not.toBeNull();
  });

  test('a reservation with a key or a quota is never early', async () => {
    await seedCustomer(subject().state, { auditQuota: 5 });
    expect(await reserve(['a1'], { early: true })).not.toHaveProperty('durable');
    await putCustomer(subject().state, customer());
    const keyed = { early: true, idempotency: idempotencyKey('k1') };
    expect(await reserve(['a2'], keyed)).not.toHaveProperty('durable');
  });

  test('refuses unknown, deleted and inactive sandboxes item by item', async () => {
    await seedCustomer(subject().state);
    await putSandbox(subject().state, 'old', sandbox('old', { deleted: true, active: false }));
    await putSandbox(subject().state, 'off', sandbox('off', { active: false }));
    const slugs = ['nowhere', 'old', 'off', 'support_bot'];
    expect(reservationOf(await reserve(['a1', 'a2', 'a3', 'a4'], { slugs })).items).toEqual([
      { refused: 'SANDBOX_NOT_FOUND' },
      { refused: 'SANDBOX_NOT_FOUND' },
      { refused: 'SANDBOX_INACTIVE' },
      { auditId: 'a4', ...SHOWN },
    ]);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toBeNull();
  });

  test('when no item is accepted, nothing is stored and the key stays free', async () => {
    await seedCustomer(subject().state);
    const idempotency = idempotencyKey('k1');
    const nothing = await reserve(['a1'], { slugs: ['nowhere'], idempotency });
    expect(reservationOf(nothing).items).toEqual([{ refused: 'SANDBOX_NOT_FOUND' }]);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(0);
    expect(await reserve(['a2'], { idempotency })).toMatchObject({ kind: 'begun', takenOver: false });
  });

  test('an inactive or unknown customer has no sandboxes', async () => {
    await seedCustomer(subject().state, { active: false });
    for (const customerId of [CUSTOMER, 'nobody'])
      expect(reservationOf(await reserve(['a1'], { customerId })).items).toEqual([
        { refused: 'SANDBOX_NOT_FOUND' },
      ]);
  });

  test('1,001 reservations at a quota of 1,000 give exactly 1,000', async () => {
    await seedCustomer(subject().state, { auditQuota: 1_000 });
    const outcomes = await Promise.all(Array.from({ length: 1_001 }, (_, n) => reserve([`a${n}`])));
    const items = outcomes.flatMap((outcome) => reservationOf(outcome).items);
    expect(items.filter((item) => 'auditId' in item)).toHaveLength(1_000);
    expect(items.filter((item) => 'refused' in item)).toEqual([{ refused: 'AUDIT_LIMIT_REACHED' }]);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1_000);
  });

  test('a batch takes items in order until the quota is used up', async () => {
    await seedCustomer(subject().state, { auditQuota: 3 });
    await reserve(['a0']);
    const { items } = reservationOf(
      await reserve(['a1', 'a2', 'a3', 'a4'], { slugs: ['support_bot', 'nowhere', 'support_bot'] }),
    );
    expect(items.map((item) => ('auditId' in item ? item.auditId : item.refused))).toEqual([
      'a1',
      'SANDBOX_NOT_FOUND',
      'a3',
      'AUDIT_LIMIT_REACHED',
    ]);
    await putCustomer(subject().state, customer({ auditQuota: 4 }));
    expect(acceptedIds(reservationOf(await reserve(['a5', 'a6'])))).toEqual(['a5']);
  });

  test('a batch of 1,000 is one call: reserved, taken over, answered and abandoned as a whole', async () => {
    await seedCustomer(subject().state);
    const ids = Array.from({ length: 1_000 }, (_, n) => `a${n}`);
    const idempotency = idempotencyKey('k1');
    const first = reservationOf(await reserve(ids, { idempotency }));
    expect(acceptedIds(first)).toEqual(ids);
    expect(await admission().pendingMark(CUSTOMER, 'a999')).not.toBeNull();
    await admission().abandon(CUSTOMER, first, idempotency, false);
    const again = await reserve(
      ids.map((id) => `b${id}`),
      { idempotency },
    );
    expect(again).toEqual({ kind: 'begun', seed: first, takenOver: true });
    const answer = { statusCode: 202, body: JSON.stringify(ids) };
    await subject().state.idempotency.settle(CUSTOMER, idempotency, answer);
    expect(await reserve(ids, { idempotency })).toEqual({ kind: 'replay', answer });
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1_000);
    const other = reservationOf(await reserve(ids.map((id) => `c${id}`)));
    await admission().abandon(CUSTOMER, { ...other, items: other.items.slice(0, 400) }, null, true);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1_600);
  });

  test('the quota restarts with the UTC month of acceptance', async () => {
    await seedCustomer(subject().state, { auditQuota: 1 });
    const end = Date.UTC(2026, 11, 1) - 1;
    expect(acceptedIds(reservationOf(await reserve(['a1'], { acceptedAt: end })))).toEqual(['a1']);
    expect(acceptedIds(reservationOf(await reserve(['a2'], { acceptedAt: end })))).toEqual([]);
    expect(acceptedIds(reservationOf(await reserve(['a3'], { acceptedAt: end + 1 })))).toEqual(['a3']);
    expect(await admission().auditCount(CUSTOMER, end)).toBe(1);
    expect(await admission().auditCount(CUSTOMER, end + 1)).toBe(1);
  });

  test('a refused rate cost counts and stores nothing', async () => {
    await seedCustomer(subject().state, { burst: 5, ratePerSecond: 10 });
    const idempotency = idempotencyKey('k1');
    await admission().takeRate(CUSTOMER, 3);
    const limited = await reserve(['a1'], { extraRateCost: 3, idempotency });
    expect(limited).toMatchObject({ kind: 'limited', rate: { limit: 5, remaining: 2, retryAfterMs: 100 } });
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(0);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toBeNull();
    await subject().advance(100);
    const admitted = await reserve(['a2'], { extraRateCost: 3, idempotency });
    expect(admitted).toMatchObject({ kind: 'begun', takenOver: false });
    expect(await admission().takeRate(CUSTOMER, 0)).toMatchObject({ remaining: 0 });
  });

  test('of 50 requests with one key one starts, and the others find it in flight', async () => {
    await seedCustomer(subject().state);
    const idempotency = idempotencyKey('k1');
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, n) => reserve([`a${n}`], { idempotency })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'inFlight')).toHaveLength(49);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
    expect(await reserve(['b'], { idempotency: idempotencyKey('k1', 'd2') })).toEqual({ kind: 'mismatch' });
    expect(await reserve(['b'], { idempotency: idempotencyKey('k2') })).toMatchObject({ kind: 'begun' });
  });

  test('an answer is replayed for a day and counts nothing', async () => {
    await seedCustomer(subject().state);
    const { idempotency: remembered } = subject().state;
    const idempotency = idempotencyKey('k1');
    await reserve(['a1'], { idempotency });
    const answer = { statusCode: 202, body: '{"auditId":"a1"}' };
    expect(await remembered.settle(CUSTOMER, idempotency, answer)).toEqual(answer);
    await subject().reopen();
    expect(await reserve(['a2'], { idempotency, extraRateCost: 1_000 })).toEqual({ kind: 'replay', answer });
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
    await subject().advance(24 * 3_600_000);
    expect(await reserve(['a3'], { idempotency })).toMatchObject({ kind: 'begun', takenOver: false });
  });

  test('after the lease the next attempt takes over the first outcome unchanged', async () => {
    await seedCustomer(subject().state, { auditQuota: 2, burst: 5 });
    const idempotency = idempotencyKey('k1');
    const first = reservationOf(await reserve(['a1', 'a2', 'a3'], { idempotency, extraRateCost: 1 }));
    await putSandbox(subject().state, 'support_bot', sandbox('support-bot', { sandboxVersion: 9 }));
    await admission().removePendingMarks([{ customerId: CUSTOMER, auditId: 'a1' }]);
    await subject().advance(29_000);
    expect(await reserve(['b1', 'b2', 'b3'], { idempotency })).toEqual({ kind: 'inFlight' });
    await subject().reopen();
    await subject().advance(1_000);
    const later = { idempotency, nonce: 'cd'.repeat(32), acceptedAt: NOON + 30_000, extraRateCost: 1_000 };
    const attempts = await Promise.all(Array.from({ length: 5 }, () => reserve(['b1', 'b2', 'b3'], later)));
    expect(attempts.filter(({ kind }) => kind === 'begun')).toEqual([
      { kind: 'begun', seed: first, takenOver: true },
    ]);
    expect(attempts.filter(({ kind }) => kind === 'inFlight')).toHaveLength(4);
    expect(acceptedIds(first)).toEqual(['a1', 'a2']);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(2);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toMatchObject({ acceptedAt: NOON });
    expect(await admission().pendingMark(CUSTOMER, 'b1')).toBeNull();
  });

  test('a key whose budget is full counts and marks nothing, and a certain failure returns its room', async () => {
    await seedCustomer(subject().state);
    const item = 384;
    const keyed = (n: number) => ({ ...idempotencyKey(`k${n}`), budgetBytes: 2 * (512 + 2 * item) + 100 });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => reserve([`a${n}`, `b${n}`], { idempotency: keyed(n) })),
    );
    const first = outcomes.findIndex(({ kind }) => kind === 'begun');
    expect(outcomes.filter(({ kind }) => kind === 'begun')).toHaveLength(2);
    expect(outcomes.filter(({ kind }) => kind === 'full')).toHaveLength(8);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(4);
    const refused = outcomes.findIndex(({ kind }) => kind === 'full');
    expect(await admission().pendingMark(CUSTOMER, `a${refused}`)).toBeNull();
    expect(await reserve(['unkeyed'])).toMatchObject({ kind: 'begun' });
    // Items that are not accepted do not use the budget.
    expect(await reserve(['x'], { idempotency: keyed(90), slugs: ['nowhere'] })).toMatchObject({
      kind: 'begun',
    });
    const seed = reservationOf(outcomes[first]!);
    for (const _repeat of [1, 2]) await admission().abandon(CUSTOMER, seed, keyed(first), true);
    expect(await reserve(['c', 'd', 'e'], { idempotency: keyed(91) })).toMatchObject({ kind: 'full' });
    expect(await reserve(['c', 'd'], { idempotency: keyed(91) })).toMatchObject({ kind: 'begun' });
    expect(await reserve(['f'], { idempotency: keyed(92) })).toMatchObject({ kind: 'full' });
  });

  test('an append that certainly failed undoes everything, once', async () => {
    await seedCustomer(subject().state);
    const idempotency = idempotencyKey('k1');
    const kept = reservationOf(await reserve(['kept']));
    for (const key of [null, idempotency]) {
      const seed = reservationOf(
        await reserve(['a1', 'a2'], { idempotency: key, slugs: ['support_bot', 'nowhere'] }),
      );
      expect(await admission().auditCount(CUSTOMER, NOON)).toBe(2);
      for (const _repeat of [1, 2]) await admission().abandon(CUSTOMER, seed, key, true);
      expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
      expect(await admission().pendingMark(CUSTOMER, 'a1')).toBeNull();
    }
    expect(acceptedIds(kept)).toEqual(['kept']);
    expect(await reserve(['a9'], { idempotency })).toMatchObject({ kind: 'begun', takenOver: false });
  });

  test('an append that may have succeeded keeps the count and releases the lease', async () => {
    await seedCustomer(subject().state);
    const idempotency = idempotencyKey('k1');
    const unkeyed = reservationOf(await reserve(['a0']));
    await admission().abandon(CUSTOMER, unkeyed, null, false);
    const first = reservationOf(await reserve(['a1'], { idempotency }));
    await admission().abandon(CUSTOMER, first, idempotency, false);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(2);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).not.toBeNull();
    const again = await reserve(['b1'], { idempotency });
    expect(again).toEqual({ kind: 'begun', seed: first, takenOver: true });
    // The second attempt is certain only of itself: records appended by the first one may be in the log.
    await admission().abandon(CUSTOMER, first, idempotency, true);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(2);
    expect(await reserve(['c1'], { idempotency })).toEqual({ kind: 'begun', seed: first, takenOver: true });
  });

  test('an attempt that names another reservation only releases the lease, even when certain', async () => {
    await seedCustomer(subject().state);
    const idempotency = idempotencyKey('k1');
    const first = reservationOf(await reserve(['a1', 'a2'], { idempotency }));
    const strangers = [
      { ...first, nonce: 'cd'.repeat(32) },
      { ...first, items: first.items.slice(1) },
    ];
    for (const stranger of strangers) {
      await admission().abandon(CUSTOMER, stranger, idempotency, true);
      expect(await admission().auditCount(CUSTOMER, NOON)).toBe(2);
      expect(await admission().pendingMark(CUSTOMER, 'a2')).not.toBeNull();
    }
    expect(await reserve(['b1'], { idempotency })).toEqual({ kind: 'begun', seed: first, takenOver: true });
  });

  test('an answered request can no longer be abandoned', async () => {
    await seedCustomer(subject().state);
    const idempotency = idempotencyKey('k1');
    const seed = reservationOf(await reserve(['a1'], { idempotency }));
    const answer = { statusCode: 202, body: '{}' };
    await subject().state.idempotency.settle(CUSTOMER, idempotency, answer);
    for (const certain of [true, false]) await admission().abandon(CUSTOMER, seed, idempotency, certain);
    expect(await admission().auditCount(CUSTOMER, NOON)).toBe(1);
    expect(await reserve(['b1'], { idempotency })).toEqual({ kind: 'replay', answer });
  });
}
