import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import { type Signal, signal as signalShape } from '#schemas/api/signals.ts';
import { MAX_MISSED, STREAM_EVENTS, STREAMS_PER_CUSTOMER } from '#schemas/api/stream.ts';
import { EPOCH, has, idsOf, is, StreamWorld, signalsOf } from './testing/stream-world.ts';

let world: StreamWorld;
beforeAll(async () => {
  world = await StreamWorld.start();
}, 60_000);
afterAll(() => world.close());
afterEach(() => world.leave());

describe('a stream', () => {
  test('reports that it is ready, then each signal as the list shows it, and the numbers when they change', async () => {
    const customer = await world.customerWithSandbox();
    await world.store(customer, 2);
    const stream = await world.open(customer);
    expect([stream.status, stream.headers['content-type'], stream.headers['cache-control']]).toEqual([
      200,
      'text/event-stream',
      'private, no-cache',
    ]);
    expect(stream.headers['x-ratelimit-limit']).toBeDefined();
    const ready = await stream.until(is('ready'));
    expect([ready.data, stream.events[0]]).toEqual([{ resumed: false }, ready]);
    const ids = await world.store(customer, 3);
    await has(stream, 3);
    expect(idsOf(stream)).toEqual(ids);
    const { body } = await world.harness.call({
      url: '/dashboard/signals?limit=3',
      headers: customer.headers,
    });
    expect(signalsOf(stream).map(({ data }) => data)).toEqual((body.signals as Signal[]).toReversed());
    for (const { data, id } of signalsOf(stream)) {
      signalShape.strict().parse(data);
      expect(id).toBe(`${EPOCH}-${data.index}`);
    }
    const stats = await stream.until(({ event, data }) => event === 'stats' && data.totalAudits === 5);
    STREAM_EVENTS.stats.strict().parse(stats.data);
    expect(stats.data).toMatchObject({
      riskBreakdown: { HIGH: 5 },
      modelBreakdown: [{ provider: 'openai', model: 'gpt-5', count: 5 }],
    });
  });

  test('shows nothing of another customer', async () => {
    const [one, other] = [await world.customerWithSandbox(), await world.customerWithSandbox()];
    const [stream, otherStream] = [await world.open(one), await world.open(other)];
    const own: string[] = [];
    const others: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      own.push(...(await world.hand(one, 2)));
      others.push(...(await world.hand(other, 2)));
      await world.fold();
    }
    await Promise.all([has(stream, 6), has(otherStream, 6)]);
    expect([idsOf(stream), idsOf(otherStream)]).toEqual([own, others]);
    for (const { data } of signalsOf(stream)) expect(data.customerId).toBe(one.id);
    const text = JSON.stringify(stream.events);
    expect(others.filter((id) => text.includes(id))).toEqual([]);
    expect(text).not.toContain(other.id);
    // A position in another customer's ledger is read as a position in the caller's own ledger, or as none.
    const resumed = await world.open(one, signalsOf(otherStream).at(-1)!.id!);
    await resumed.until(is('ready'));
    expect(idsOf(resumed).filter((id) => others.includes(id))).toEqual([]);
  });

  test('resumes where it broke off, by header or parameter', async () => {
    const customer = await world.customerWithSandbox();
    const first = await world.open(customer);
    await first.until(is('ready'));
    const ids = await world.store(customer, 2);
    await has(first, 2);
    const lastId = signalsOf(first).at(-1)!.id!;
    first.close();
    const missed = [...(await world.store(customer, 30)), ...(await world.store(customer, 30))];
    const resumed = [
      await world.open(customer, lastId),
      await world.open(customer, undefined, `?lastEventId=${lastId}`),
    ];
    const later = await world.store(customer, 2);
    for (const stream of resumed) {
      await has(stream, 62);
      expect([stream.events[0], idsOf(stream)]).toEqual([
        { event: 'ready', id: lastId, data: { resumed: true } },
        [...missed, ...later],
      ]);
    }
    // Also from before the first signal: the id of `ready` is a position.
    const whole = await world.open(customer, first.events.find(is('ready'))!.id!);
    await has(whole, 64);
    expect(idsOf(whole)).toEqual([...ids, ...missed, ...later]);
  });

  test('catches up on the maximum of signals; beyond that, or from a position that the ledger does not have, it is reset', async () => {
    const customer = await world.harness.customer();
    const ledger = world.ledgerOf(customer, MAX_MISSED + 2);
    const early = await world.open(customer);
    const { id: start } = await early.until(is('ready'));
    early.close();
    await ledger.store(MAX_MISSED);
    const resumed = await world.open(customer, start!);
    await has(resumed, MAX_MISSED);
    expect(idsOf(resumed)).toEqual(ledger.ids.slice(0, MAX_MISSED));
    expect(resumed.events.some(is('reset'))).toBe(false);

    await ledger.store(1);
    await has(resumed, MAX_MISSED + 1);
    const late = await world.open(customer, start!);
    const unknown = await world.open(customer, '1-999999');
    const elsewhere = await world.open(customer, '77-3');
    await ledger.store(1);
    for (const [stream, reason] of [
      [late, 'TOO_MANY_MISSED'],
      [unknown, 'UNKNOWN_PLACE'],
      [elsewhere, 'UNKNOWN_PLACE'],
    ] as const) {
      expect((await stream.until(is('reset'))).data).toEqual({ reason });
      await has(stream, 1);
      expect(idsOf(stream)).toEqual(ledger.ids.slice(-1));
      expect(stream.events.find(is('ready'))).toMatchObject({ data: { resumed: false } });
    }
  });

  test('does not show what was erased meanwhile', async () => {
    const customer = await world.customerWithSandbox();
    const early = await world.open(customer);
    const { id: start } = await early.until(is('ready'));
    const [first, second] = await world.store(customer, 2);
    const erased = await world.harness.call({
      method: 'DELETE',
      url: `/evidence/retention/signals/${first}`,
      headers: customer.headers,
      payload: {
        reason: 'CUSTOMER_REQUEST',
        legalBasis: 'asked for',
        requestedBy: 'a customer',
        scope: 'ALL',
      },
    });
    expect(erased.status).toBe(202);
    await world.harness.settled();
    await world.fold();
    const resumed = await world.open(customer, start!);
    await has(resumed, 1);
    expect(idsOf(resumed)).toEqual([second]);
  });

  test.each(['x', '1', '1-', '-1--1', '1-1.5', `1-${'9'.repeat(30)}`])(
    'is refused with 400 for %j as the id of an event',
    async (id) => {
      const { headers } = await world.harness.customer();
      const answers = [
        await world.harness.call({ url: '/dashboard/stream', headers: { ...headers, 'last-event-id': id } }),
        await world.harness.call({ url: `/dashboard/stream?lastEventId=${encodeURIComponent(id)}`, headers }),
      ];
      for (const { status, body } of answers) expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  test('is not opened by HEAD', async () => {
    const { headers } = await world.harness.customer();
    for (let n = 0; n < STREAMS_PER_CUSTOMER + 5; n += 1) {
      const answer = await world.harness.call({ method: 'HEAD', url: '/dashboard/stream', headers });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
  });
});

describe('the number of streams', () => {
  test('is limited per customer, independent of others; one that ends makes room', async () => {
    const customer = await world.harness.customer();
    const all = await Promise.all(Array.from({ length: STREAMS_PER_CUSTOMER }, () => world.open(customer)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    const ask = (headers = customer.headers) => world.harness.call({ url: '/dashboard/stream', headers });
    const refused = await ask();
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'STREAM_LIMIT_REACHED',
      '5',
    ]);
    expect((await ask((await world.harness.customer()).headers)).status).toBe(200);
    all[0]!.close();
    while ((await ask()).status !== 200) await turn();
  });
});
