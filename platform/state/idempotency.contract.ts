import { describe, expect, test } from '#jest';
import { idempotencyKey } from './testing/contract-seed.ts';
import type { Subject } from './testing/subject.ts';

export function describeIdempotencyContract(subject: Subject): void {
  const idempotency = () => subject().state.idempotency;
  const begin = (seed: unknown, key = idempotencyKey('k1')) => idempotency().begin('c1', key, seed);
  const answer = (body: string) => ({ statusCode: 201, body });

  test('one of many attempts starts; another body does not match; another scope is another key', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => begin({ id: n })));
    expect(outcomes.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'inFlight')).toHaveLength(19);
    expect(await begin({}, idempotencyKey('k1', 'd2'))).toEqual({ kind: 'mismatch' });
    expect(await idempotency().begin('c2', idempotencyKey('k1'), 7)).toEqual({
      kind: 'begun',
      seed: 7,
      takenOver: false,
    });
  });

  test('a lapsed attempt is taken over with its seed, also after reopening', async () => {
    await begin({ id: 'one' });
    await subject().reopen();
    await subject().advance(30_000);
    expect(await begin({ id: 'two' })).toEqual({ kind: 'begun', seed: { id: 'one' }, takenOver: true });
    expect(await begin({ id: 'three' })).toEqual({ kind: 'inFlight' });
  });

  test('a clock that is set back by an hour does not keep an attempt in flight for an hour', async () => {
    await begin({ id: 'one' });
    await subject().advance(-3_600_000);
    expect(await begin({ id: 'two' })).toEqual({ kind: 'begun', seed: { id: 'one' }, takenOver: true });
    expect(await begin({ id: 'three' })).toEqual({ kind: 'inFlight' });
  });

  test('every caller gets the first answer', async () => {
    const key = idempotencyKey('k1');
    await begin({ id: 'one' });
    const answers = await Promise.all(
      ['x', 'y', 'z'].map((body) => idempotency().settle('c1', key, answer(body))),
    );
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    await subject().reopen();
    await subject().advance(24 * 3_600_000 - 1_000);
    expect(await begin({ id: 'two' })).toEqual({ kind: 'replay', answer: answers[0] });
    expect(await begin({}, idempotencyKey('k1', 'd2'))).toEqual({ kind: 'mismatch' });
    await subject().advance(1_000);
    expect(await begin({ id: 'three' })).toMatchObject({ kind: 'begun', takenOver: false });
  });

  test('an answer without an attempt is stored too', async () => {
    const key = idempotencyKey('k1');
    expect(await idempotency().settle('c1', key, answer('x'))).toEqual(answer('x'));
    expect(await begin({})).toEqual({ kind: 'replay', answer: answer('x') });
  });

  test('a released attempt is taken over at once with its seed; an answer stays, and releasing nothing has no effect', async () => {
    const key = idempotencyKey('k1');
    await idempotency().release('c1', key);
    expect(await begin({ id: 'one' })).toMatchObject({ kind: 'begun', takenOver: false });
    await idempotency().release('c1', key);
    await idempotency().release('c1', key);
    expect(await begin({}, idempotencyKey('k1', 'd2'))).toEqual({ kind: 'mismatch' });
    await subject().reopen();
    expect(await begin({ id: 'two' })).toEqual({ kind: 'begun', seed: { id: 'one' }, takenOver: true });
    expect(await begin({ id: 'three' })).toEqual({ kind: 'inFlight' });
    await idempotency().settle('c1', key, answer('x'));
    await idempotency().release('c1', key);
    expect(await begin({ id: 'four' })).toEqual({ kind: 'replay', answer: answer('x') });
  });

  test('a forgotten attempt frees the key; an answer and the seed of a take-over stay', async () => {
    const key = idempotencyKey('k1');
    await begin({ id: 'one' });
    await idempotency().forget('c1', key);
    await idempotency().forget('c1', key);
    const second = idempotencyKey('k1', 'd2');
    expect(await begin({ id: 'two' }, second)).toMatchObject({ kind: 'begun', seed: { id: 'two' } });
    await subject().advance(30_000);
    expect(await begin({}, second)).toMatchObject({ takenOver: true });
    await idempotency().forget('c1', second);
    expect(await begin({}, second)).toEqual({ kind: 'begun', seed: { id: 'two' }, takenOver: true });
    await idempotency().settle('c1', second, answer('x'));
    await idempotency().forget('c1', second);
    expect(await begin({}, second)).toEqual({ kind: 'replay', answer: answer('x') });
  });

  describe('within a budget', () => {
    const HOUR_MS = 3_600_000;
    const keyed = (n: number | string, budgetBytes: number) => ({ ...idempotencyKey(`k${n}`), budgetBytes });
    const remember = async (n: number, budgetBytes: number, body: string): Promise<string> => {
      const { kind } = await begin({ id: n }, keyed(n, budgetBytes));
      if (kind === 'begun') await idempotency().settle('c1', keyed(n, budgetBytes), answer(body));
      return kind;
    };

    test('as many concurrent attempts start as fit the budget, and these can be joined even when it is full', async () => {
      const budget = 7 * 512 + 511;
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => begin({ id: n }, keyed(n, budget))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'begun')).toHaveLength(7);
      const full = outcomes.filter(({ kind }) => kind === 'full');
      expect(full).toHaveLength(13);
      for (const one of full) {
        expect(one).toMatchObject({ retryAfterMs: expect.any(Number) });
        expect((one as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(4 * HOUR_MS);
      }
      const first = outcomes.findIndex(({ kind }) => kind === 'begun');
      expect(await begin({}, keyed(first, budget))).toEqual({ kind: 'inFlight' });
      await idempotency().release('c1', keyed(first, budget));
      expect(await begin({}, keyed(first, budget))).toMatchObject({ kind: 'begun', takenOver: true });
      // Nothing was stored under a refused key, and other scopes and callers without a budget still work.
      const refused = outcomes.findIndex(({ kind }) => kind === 'full');
      expect(await begin({ id: 'new' }, idempotencyKey(`k${refused}`, 'other'))).toMatchObject({
        kind: 'begun',
      });
      expect(await idempotency().begin('c2', keyed(1, budget), {})).toMatchObject({ kind: 'begun' });
    });

    test('answers count with their bytes for about a day, also after reopening', async () => {
      const budget = 10 * 1_024;
      const kinds = [];
      for (let n = 0; n < 12; n += 1) kinds.push(await remember(n, budget, 'ä'.repeat(256)));
      expect(kinds).toEqual([...Array(10).fill('begun'), 'full', 'full']);
      await subject().reopen();
      expect(await remember(20, budget, '')).toBe('full');
      await subject().advance(24 * HOUR_MS - 1_000);
      expect(await remember(21, budget, '')).toBe('full');
      await subject().advance(4 * HOUR_MS + 1_000);
      expect(await remember(22, budget, '')).toBe('begun');
    });

    test('a forgotten attempt returns its share of the budget, unless it took over another', async () => {
      const budget = 2 * 512;
      for (let n = 0; n < 5; n += 1) {
        expect(await begin({ id: n }, keyed(n, budget))).toMatchObject({ kind: 'begun' });
        await idempotency().forget('c1', keyed(n, budget));
        await idempotency().forget('c1', keyed(n, budget));
      }
      await begin({ id: 'held' }, keyed('held', budget));
      await idempotency().release('c1', keyed('held', budget));
      await begin({ id: 'held' }, keyed('held', budget));
      await idempotency().forget('c1', keyed('held', budget));
      expect(await begin({}, keyed('last', budget))).toMatchObject({ kind: 'begun' });
      expect(await begin({}, keyed('beyond', budget))).toMatchObject({ kind: 'full' });
    });
  });
}
