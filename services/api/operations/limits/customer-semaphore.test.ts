import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '#jest';
import type { Refusal } from '#platform/flow/refusal.ts';
import type { Plan } from '#schemas/vocabulary.ts';
import { type CustomerSemaphoreLimits, createCustomerSemaphore } from './customer-semaphore.ts';

const LIMITS: CustomerSemaphoreLimits = {
  atOnce: 2,
  perCustomer: 1,
  waitingPerCustomer: 3,
  waiting: 5,
  retryAfterSeconds: 7,
};
const STAYS = { gone: new AbortController().signal };

/** A semaphore with work that ends on the test's command. */
function start(limits: Partial<CustomerSemaphoreLimits> = {}) {
  const turns = createCustomerSemaphore({ ...LIMITS, ...limits });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  let under = 0;
  let most = 0;
  const ask = (
    name: string,
    call: { readonly gone: AbortSignal; readonly plan?: Plan } = STAYS,
  ): Promise<string> =>
    turns.during(name[0]!, call, async () => {
      started.push(name);
      under++;
      most = Math.max(most, under);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      under--;
      return name;
    });
  const end = async (name: string): Promise<void> => {
    const done = ends.get(name);
    if (done === undefined) throw new Error(`${name} has not begun`);
    done();
    await turn();
  };
  return { ask, end, started, most: () => most };
}

const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: Refusal) => [error.code, error.retryAfterSeconds],
  );

describe('turns', () => {
  test('run one customer’s share at once and no more, first come first served', async () => {
    const { ask, end, started } = start();
    const all = [ask('a1'), ask('a2'), ask('a3')];
    expect(started).toEqual(['a1']);
    await end('a1');
    expect(started).toEqual(['a1', 'a2']);
    await end('a2');
    await end('a3');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3']);
  });

  test('let another customer start at once next to a busy one', async () => {
    const { ask, started } = start();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name);
    void ask('b1');
    expect(started).toEqual(['a1', 'b1']);
  });

  test('alternate between waiting customers, however much one of them requested before', async () => {
    const { ask, end, started, most } = start({ perCustomer: 2, waiting: 100 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) void ask(name);
    for (const name of ['a1', 'a2', 'b1', 'a3', 'c1', 'b2']) await end(name);
    // Customers without a turn go before those with one.
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5']);
    expect(most()).toBe(2);
  });

  test('run less at once for a plan with less', async () => {
    const { ask, started } = start({ atOnce: 3, perCustomer: 2, perCustomerOn: { DEV: 1 } });
    for (const name of ['a1', 'a2']) void ask(name, { ...STAYS, plan: 'DEV' });
    for (const name of ['b1', 'b2']) void ask(name, { ...STAYS, plan: 'PRO' });
    expect(started).toEqual(['a1', 'b1', 'b2']);
  });

  test('refuse a customer with too many waiting calls, and no other', async () => {
    const { ask } = start();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name);
    expect(await codeOf(ask('a5'))).toEqual(['TOO_MANY_AT_ONCE', 7]);
    void ask('b1');
    void ask('b2');
    expect(await codeOf(ask('a6'))).toEqual(['TOO_MANY_AT_ONCE', 7]);
  });

  test('refuse calls beyond the total, last those of customers without waiting calls', async () => {
    const { ask } = start();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void ask(name);
    expect(await codeOf(ask('b3'))).toEqual(['TOO_MANY_AT_ONCE', 7]);
    void ask('c1');
    expect(await codeOf(ask('d1'))).toEqual(['UNAVAILABLE', 7]);
  });

  test('free the place of a client that leaves the queue', async () => {
    const { ask, end, started } = start();
    void ask('a1');
    const leaver = new AbortController();
    const left = codeOf(ask('a2', { gone: leaver.signal }));
    void ask('a3');
    leaver.abort();
    expect(await left).toEqual(['UNAVAILABLE', 1]);
    expect(await codeOf(ask('a4', { gone: AbortSignal.abort() }))).toEqual(['UNAVAILABLE', 1]);
    await end('a1');
    expect(started).toEqual(['a1', 'a3']);
    // Three may wait again.
    const more = ['a5', 'a6', 'a7'].map((name) => ask(name));
    expect(more).toHaveLength(3);
    expect(await codeOf(ask('a8'))).toEqual(['TOO_MANY_AT_ONCE', 7]);
  });

  test('end when their work fails', async () => {
    const turns = createCustomerSemaphore({ ...LIMITS, atOnce: 1 });
    const failing = async (): Promise<never> => {
      throw new Error('boom');
    };
    await expect(turns.during('a', STAYS, failing)).rejects.toThrow('boom');
    expect(await turns.during('b', STAYS, async () => 1)).toBe(1);
  });
});
