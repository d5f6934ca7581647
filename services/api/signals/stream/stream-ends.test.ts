import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import { API_KEYS } from '#platform/state/port.ts';
import type { ApiKeyRecord } from '#records/documents/api-key-record.ts';
import { pageOf, signUp } from '../../testing/accounts.ts';
import { internalHeaders, startHarness } from '../../testing/harness.ts';
import { openStream } from './testing/event-stream.ts';
import { has, idsOf, is, StreamWorld } from './testing/stream-world.ts';

let world: StreamWorld;
beforeAll(async () => {
  world = await StreamWorld.start();
}, 60_000);
afterAll(() => world.close());
afterEach(() => world.leave());

describe('a stream ends', () => {
  test('when its key is revoked, and streams of other keys continue', async () => {
    const customer = await world.customerWithSandbox();
    const made = await world.harness.call({
      method: 'POST',
      url: `/internal/customers/${customer.id}/api-keys`,
      headers: internalHeaders,
      payload: { name: 'second' },
    });
    const second = await world.open({ headers: { 'x-service-key': made.body.key } });
    const first = await world.open(customer);
    await Promise.all([first.until(is('ready')), second.until(is('ready'))]);
    await world.harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}/api-keys/${made.body.id}`,
      headers: internalHeaders,
    });
    // Nothing is sent after the revocation was answered, and nothing else ends the stream.
    const ids = await world.store(customer, 2);
    await has(first, 2);
    await second.ended();
    expect([second.isWhole, idsOf(second)]).toEqual([true, []]);
    expect([first.isEnded, idsOf(first)]).toEqual([false, ids]);
    const again = await world.open({ headers: { 'x-service-key': made.body.key } });
    expect(again.status).toBe(401);
  });

  test('when the session that opened it is over, and others’ streams continue', async () => {
    const page = pageOf(await signUp(world.harness));
    const own = await world.open({ headers: page });
    const other = await world.open(await world.harness.customer());
    await Promise.all([own.until(is('ready')), other.until(is('ready'))]);
    await world.harness.call({ method: 'DELETE', url: '/sessions', headers: page });
    await own.ended();
    expect([own.isWhole, other.isEnded]).toEqual([true, false]);
    expect((await world.open({ headers: page })).status).toBe(401);
  });

  test('when its customer is erased', async () => {
    const customer = await world.harness.customer();
    const stream = await world.open(customer);
    await stream.until(is('ready'));
    await world.harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}`,
      headers: internalHeaders,
    });
    await stream.ended();
  });

  test('when another process revokes its key, and at once if its client does not read', async () => {
    const customer = await world.harness.customer();
    const [reading, deaf] = [await world.open(customer), await world.open(customer)];
    await Promise.all([reading.until(is('ready')), deaf.until(is('ready'))]);
    deaf.pause();
    // Bypasses the API of this process.
    const { documents } = world.harness.state;
    const [key] = await documents.list<ApiKeyRecord>(customer.id, API_KEYS);
    const value = { ...key!.value, status: 'revoked' };
    await documents.write(customer.id, [{ collection: API_KEYS, id: key!.id, value }]);
    await reading.ended();
    deaf.resume();
    await deaf.ended();
  });

  test('with the server, as a complete answer, and the server does not wait for its client', async () => {
    const closing = await startHarness({ warehouse: world.real.warehouse });
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

describe('during an outage', () => {
  test('of the warehouse no stream is opened; open ones wait, and miss nothing', async () => {
    const customer = await world.customerWithSandbox();
    const stream = await world.open(customer);
    await stream.until(is('ready'));
    const ids = await world.hand(customer, 3);
    const other = await world.harness.customer();
    world.isDown = true;
    const refused = await world.harness.call({ url: '/dashboard/stream', headers: other.headers });
    expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    // Only the sink reaches the warehouse: its reports arrive, but the signals cannot be read.
    await world.fold();
    for (let n = 0; n < 50; n += 1) await turn();
    expect(idsOf(stream)).toEqual([]);
    world.isDown = false;
    ids.push(...(await world.store(customer, 2)));
    await has(stream, 5);
    expect(idsOf(stream)).toEqual(ids);
    expect(stream.isEnded).toBe(false);
  });

  test('of the log no stream is opened', async () => {
    const own = await startHarness({ warehouse: world.real.warehouse });
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
