import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { type Warehouse, WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { type Signal, signal as signalShape } from '#schemas/api/signals.ts';
import { MAX_MISSED, STREAM_EVENTS, STREAMS_PER_CUSTOMER } from '#schemas/api/stream.ts';
import { LEDGER as LEDGER_TABLE, LOG_EPOCHS, SIGNALS } from '#schemas/tables/tables.ts';
import { LEDGER, SIGNALS as SIGNALS_TOPIC } from '#schemas/topics.ts';
import { pageOf, signUp } from '../../testing/accounts.ts';
import { type OpenedStream, openStream, type SeenEvent } from '../../testing/event-stream.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from '../../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../../testing/real-warehouse.ts';
import { sinkOf } from '../../testing/sink-of.ts';
import { CHECK_MS } from '../../use-cases/stream/customer-streams.ts';

/** Streams over real sockets; the sink stores and tells when a test says so. */

const EPOCH = 1;
let real: RealWarehouse;
let harness: Harness;
let sink: ReturnType<typeof sinkOf>;
let base: string;
const streams: OpenedStream[] = [];

beforeAll(async () => {
  real = await startRealWarehouse();
  await real.insert(LOG_EPOCHS, [{ epoch: EPOCH, setUp: 'tests', at: '2026-11-01T00:00:00.000Z' }]);
  harness = await startHarness({ warehouse: real.warehouse });
  sink = sinkOf(harness, real, EPOCH);
  await harness.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(harness.app.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(async () => {
  await harness.close();
  await real.close();
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function customerWithSandbox(): Promise<TestCustomer> {
  const customer = await harness.customer();
  const payload = { name: 'Support', slug: 'support-chat', sandboxType: 'FULL_SPECTRUM' };
  await harness.call({ method: 'POST', url: '/sandboxes', headers: customer.headers, payload });
  await harness.settled();
  return customer;
}

/** Hands signals in; they are stored by the next `fold`. */
async function hand(customer: TestCustomer, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const payload = {
      customerId: customer.id,
      sandboxSlug: 'support-chat',
      provider: 'openai',
      model: 'gpt-5',
      riskLevel: 'HIGH',
      violations: ['EMAIL'],
      reasoning: `signal ${n}`,
    };
    const { body } = await harness.call({
      method: 'POST',
      url: '/internal/signal',
      headers: internalHeaders,
      payload,
    });
    ids.push(body.auditId);
  }
  return ids;
}
const fold = (): Promise<void> => sink.fold(LEDGER.name);
const store = async (customer: TestCustomer, count: number): Promise<string[]> => {
  const ids = await hand(customer, count);
  await fold();
  return ids;
};

/** A ledger that is stored piece by piece, faster than a sink would. */
function ledgerOf(customer: TestCustomer, size: number) {
  const rows = storedRows(
    Array.from({ length: size }, (_, index) => ({
      ...sampleDraft(index, 'SIGNAL', sampleCore(index)),
      customerId: customer.id,
    })),
  );
  let stored = 0;
  return {
    ids: rows.signals.map(({ auditId }) => auditId),
    store: async (count: number): Promise<void> => {
      const first = stored;
      stored += count;
      await real.insert(SIGNALS, rows.signals.slice(first, stored));
      await real.insert(LEDGER_TABLE, rows.ledger.slice(first, stored));
      const { epoch } = rows.ledger[first]!;
      const headers = {
        first: `${first}`,
        last: `${stored - 1}`,
        others: '0',
        epoch: `${epoch}`,
        schema: '',
      };
      await harness.log.append([
        { topic: SIGNALS_TOPIC.name, key: customer.id, value: Buffer.alloc(0), headers },
      ]);
    },
  };
}

async function open(customer: TestCustomer, lastEventId?: string, query = ''): Promise<OpenedStream> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const stream = await openStream(`${base}/dashboard/stream${query}`, { ...customer.headers, ...headers });
  streams.push(stream);
  return stream;
}
const is = (name: string) => (seen: SeenEvent) => seen.event === name;
const signalsOf = ({ events }: OpenedStream): SeenEvent[] => events.filter(is('signal'));
const idsOf = (stream: OpenedStream): string[] => signalsOf(stream).map(({ data }) => data.auditId);
const has = (stream: OpenedStream, count: number): Promise<SeenEvent> =>
  stream.until(() => signalsOf(stream).length >= count);

describe('a stream', () => {
  test('tells that it is ready, then each signal as the list shows it, and the numbers when they change', async () => {
    const customer = await customerWithSandbox();
    await store(customer, 2);
    const stream = await open(customer);
    expect([stream.status, stream.headers['content-type'], stream.headers['cache-control']]).toEqual([
      200,
      'text/event-stream',
      'private, no-cache',
    ]);
    expect(stream.headers['x-ratelimit-limit']).toBeDefined();
    const ready = await stream.until(is('ready'));
    expect([ready.data, stream.events[0]]).toEqual([{ resumed: false }, ready]);
    const ids = await store(customer, 3);
    await has(stream, 3);
    expect(idsOf(stream)).toEqual(ids);
    const { body } = await harness.call({ url: '/dashboard/signals?limit=3', headers: customer.headers });
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
    const [one, other] = [await customerWithSandbox(), await customerWithSandbox()];
    const [stream, beside] = [await open(one), await open(other)];
    const own: string[] = [];
    const others: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      own.push(...(await hand(one, 2)));
      others.push(...(await hand(other, 2)));
      await fold();
    }
    await Promise.all([has(stream, 6), has(beside, 6)]);
    expect([idsOf(stream), idsOf(beside)]).toEqual([own, others]);
    for (const { data } of signalsOf(stream)) expect(data.customerId).toBe(one.id);
    const text = JSON.stringify(stream.events);
    expect(others.filter((id) => text.includes(id))).toEqual([]);
    expect(text).not.toContain(other.id);
    // A place in another one's ledger is a place in one's own, or none.
    const resumed = await open(one, signalsOf(beside).at(-1)!.id!);
    await resumed.until(is('ready'));
    expect(idsOf(resumed).filter((id) => others.includes(id))).toEqual([]);
  });

  test('is taken up where it broke off, by the header as by the parameter', async () => {
    const customer = await customerWithSandbox();
    const first = await open(customer);
    await first.until(is('ready'));
    const ids = await store(customer, 2);
    await has(first, 2);
    const lastId = signalsOf(first).at(-1)!.id!;
    first.close();
    const missed = [...(await store(customer, 30)), ...(await store(customer, 30))];
    const resumed = [await open(customer, lastId), await open(customer, undefined, `?lastEventId=${lastId}`)];
    const later = await store(customer, 2);
    for (const stream of resumed) {
      await has(stream, 62);
      expect([stream.events[0], idsOf(stream)]).toEqual([
        { event: 'ready', id: lastId, data: { resumed: true } },
        [...missed, ...later],
      ]);
    }
    // Also from before the first signal: the id of `ready` is a place.
    const whole = await open(customer, first.events.find(is('ready'))!.id!);
    await has(whole, 64);
    expect(idsOf(whole)).toEqual([...ids, ...missed, ...later]);
  });

  test('catches up on as many signals as it may; behind more, and from a place that the ledger does not have, it begins anew', async () => {
    const customer = await harness.customer();
    const ledger = ledgerOf(customer, MAX_MISSED + 2);
    const early = await open(customer);
    const { id: start } = await early.until(is('ready'));
    early.close();
    await ledger.store(MAX_MISSED);
    const resumed = await open(customer, start!);
    await has(resumed, MAX_MISSED);
    expect(idsOf(resumed)).toEqual(ledger.ids.slice(0, MAX_MISSED));
    expect(resumed.events.some(is('reset'))).toBe(false);

    await ledger.store(1);
    await has(resumed, MAX_MISSED + 1);
    const behind = await open(customer, start!);
    const unknown = await open(customer, '1-999999');
    const elsewhere = await open(customer, '77-3');
    await ledger.store(1);
    for (const [stream, reason] of [
      [behind, 'TOO_MANY_MISSED'],
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
    const customer = await customerWithSandbox();
    const early = await open(customer);
    const { id: start } = await early.until(is('ready'));
    const [first, second] = await store(customer, 2);
    const erased = await harness.call({
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
    await harness.settled();
    await fold();
    const resumed = await open(customer, start!);
    await has(resumed, 1);
    expect(idsOf(resumed)).toEqual([second]);
  });

  test.each(['x', '1', '1-', '-1--1', '1-1.5', `1-${'9'.repeat(30)}`])(
    'with %j as the id of an event is refused with 400',
    async (id) => {
      const { headers } = await harness.customer();
      const answers = [
        await harness.call({ url: '/dashboard/stream', headers: { ...headers, 'last-event-id': id } }),
        await harness.call({ url: `/dashboard/stream?lastEventId=${encodeURIComponent(id)}`, headers }),
      ];
      for (const { status, body } of answers) expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  test('HEAD is answered, and opens nothing', async () => {
    const { headers } = await harness.customer();
    for (let n = 0; n < STREAMS_PER_CUSTOMER + 5; n += 1) {
      const answer = await harness.call({ method: 'HEAD', url: '/dashboard/stream', headers });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
  });
});

describe('how many', () => {
  test('a customer has so many at most, beside others; one that ends makes room', async () => {
    const customer = await harness.customer();
    const all = await Promise.all(Array.from({ length: STREAMS_PER_CUSTOMER }, () => open(customer)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    const ask = (headers = customer.headers) => harness.call({ url: '/dashboard/stream', headers });
    const refused = await ask();
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'STREAM_LIMIT_REACHED',
      '5',
    ]);
    expect((await ask((await harness.customer()).headers)).status).toBe(200);
    all[0]!.close();
    while ((await ask()).status !== 200) await turn();
  });
});

describe('ends', () => {
  test('when its key is revoked, and streams of other keys go on', async () => {
    const customer = await harness.customer();
    const made = await harness.call({
      method: 'POST',
      url: `/internal/customers/${customer.id}/api-keys`,
      headers: internalHeaders,
      payload: { name: 'second' },
    });
    const second = await openStream(`${base}/dashboard/stream`, { 'x-service-key': made.body.key });
    streams.push(second);
    const first = await open(customer);
    await Promise.all([first.until(is('ready')), second.until(is('ready'))]);
    await harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}/api-keys/${made.body.id}`,
      headers: internalHeaders,
    });
    harness.skew += CHECK_MS;
    await second.ended();
    expect(second.isWhole).toBe(true);
    while (first.comments === 0) await turn();
    expect(first.isEnded).toBe(false);
    const again = await openStream(`${base}/dashboard/stream`, { 'x-service-key': made.body.key });
    expect(again.status).toBe(401);
  });

  test('when the session that opened it is over, and streams of others go on', async () => {
    const page = pageOf(await signUp(harness));
    const [own, other] = await Promise.all([
      openStream(`${base}/dashboard/stream`, page),
      open(await harness.customer()),
    ]);
    streams.push(own);
    await Promise.all([own.until(is('ready')), other.until(is('ready'))]);
    await harness.call({ method: 'DELETE', url: '/sessions', headers: page });
    harness.skew += CHECK_MS;
    await own.ended();
    expect(own.isWhole).toBe(true);
    while (other.comments === 0) await turn();
    expect(other.isEnded).toBe(false);
    expect((await openStream(`${base}/dashboard/stream`, page)).status).toBe(401);
  });

  test('when its customer is erased', async () => {
    const customer = await harness.customer();
    const stream = await open(customer);
    await stream.until(is('ready'));
    await harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}`,
      headers: internalHeaders,
    });
    harness.skew += CHECK_MS;
    await stream.ended();
  });

  test('with the server, as a whole answer, and the server does not wait for its client', async () => {
    const closing = await startHarness({ warehouse: real.warehouse });
    await closing.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = closing.app.server.address() as AddressInfo;
    const customer = await closing.customer();
    const [stream, deaf] = await Promise.all(
      [1, 2].map(() => openStream(`http://127.0.0.1:${port}/dashboard/stream`, customer.headers)),
    );
    await stream!.until(is('ready'));
    deaf!.pause();
    await closing.close();
    await stream!.ended();
    expect(stream!.isWhole).toBe(true);
    deaf!.close();
  });
});

describe('while a part is down', () => {
  const opened = async () => {
    let isDown = false;
    const broken = async (): Promise<never> => {
      throw new WarehouseUnavailable('tests', null);
    };
    const query = ((...asked) => (isDown ? broken() : real.warehouse.query(...asked))) as Warehouse['query'];
    const own = await startHarness({ warehouse: { ...real.warehouse, query } });
    await own.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = own.app.server.address() as AddressInfo;
    return {
      own,
      url: `http://127.0.0.1:${port}/dashboard/stream`,
      setDown: (value: boolean) => {
        isDown = value;
      },
    };
  };

  test('the warehouse: none is opened; those that are open wait, and miss nothing', async () => {
    const { own, url, setDown } = await opened();
    const [before, beforeSink, beforeBase] = [harness, sink, base];
    harness = own;
    sink = sinkOf(own, real, EPOCH);
    try {
      const customer = await customerWithSandbox();
      const stream = await openStream(url, customer.headers);
      streams.push(stream);
      await stream.until(is('ready'));
      setDown(true);
      const refused = await own.call({ url: '/dashboard/stream', headers: (await own.customer()).headers });
      expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
      setDown(false);
      const ids = await hand(customer, 3);
      // What is told cannot be read.
      const folding = fold();
      setDown(true);
      await folding.catch(() => undefined);
      setDown(false);
      await fold();
      await has(stream, 3);
      expect(idsOf(stream)).toEqual(ids);
    } finally {
      [harness, sink, base] = [before, beforeSink, beforeBase];
      await own.close();
    }
  });

  test('the log: none is opened', async () => {
    const { own } = await opened();
    const customer = await own.customer();
    own.log.mode = 'refuses';
    const refused = await own.call({ url: '/dashboard/stream', headers: customer.headers });
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      503,
      'UNAVAILABLE',
      '1',
    ]);
    own.log.mode = 'takes';
    expect((await own.call({ url: '/dashboard/stream', headers: customer.headers })).status).toBe(200);
    await own.close();
  });
});
