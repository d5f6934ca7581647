import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '#jest';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { type RedisBench, redisBench } from '../testing/redis-server.ts';

/** The network between a state and its server: delays each reply. */
interface SlowNetwork {
  readonly port: number;
  delayMs: number;
  close(): void;
}

async function slowNetworkTo(port: number): Promise<SlowNetwork> {
  const sockets: Socket[] = [];
  const server: Server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    sockets.push(client, upstream);
    for (const end of [client, upstream]) end.on('error', () => undefined);
    client.pipe(upstream);
    upstream.on('data', (bytes) => setTimeout(() => client.write(bytes), network.delayMs));
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const network: SlowNetwork = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return network;
}

describeOn('redis', 'remains of an erased customer in Redis', () => {
  let bench: RedisBench;
  let network: SlowNetwork | undefined;
  beforeEach(() => {
    bench = redisBench();
  });
  afterEach(async () => {
    await bench.close();
    network?.close();
  });
  const remains = { customerId: 'alice', expiringPrefix: 'claims:alice:' };
  const mark = { acceptedAt: 1, sandboxId: 's', sandboxSlug: 's', provider: 'p', model: 'm' };

  test('removes everything no matter how long a scan of all keys takes, while each call keeps its own deadline', async () => {
    const port = await bench.bareServer('--appendonly', 'yes', '--appendfsync', 'always');
    const client = bench.client(`redis://127.0.0.1:${port}`);
    network = await slowNetworkTo(port);
    const commandTimeoutMs = 1_000;
    const state = await bench.state(`redis://127.0.0.1:${network.port}`, { commandTimeoutMs });
    await client.eval("for n = 1, 20000 do redis.call('SET', 'others:' .. n, 'x') end", 0);
    await state.admission.setPendingMark('alice', 'a1', mark);
    await state.expiring.claim('claims:alice:a1', 'a whole signal', 60_000);
    await client.set('cas:unconfirmed-value:claims%003aalice%003aa1', 'flag');
    await state.expiring.set('claims:bob:a1', 'kept', 60_000);
    // At least twenty scans of a thousand keys: longer than one call may take.
    network.delayMs = 80;
    await state.removeRemains(remains, new AbortController().signal);
    network.delayMs = 0;
    const left = (await client.keys('*')).filter((key) => !key.startsWith('others:'));
    expect(left).toEqual(['cas:expiring:claims%003abob%003aa1']);
    expect(await client.dbsize()).toBe(20_001);
  });
});
