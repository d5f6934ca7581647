import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, test } from '#jest';
import { limitConnections } from './connections.ts';

/** Loopback addresses stand in for clients: each connection has its own source address. */

let server: Server;
let opened: Socket[] = [];

async function start(most: number, isProxy: (address: string) => boolean = () => false) {
  const metrics = new Registry();
  server = createServer((_request, response) => response.end('answered'));
  limitConnections(server, most, isProxy, metrics);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Whether the connection stays open; a refused one is closed before any answer. */
    open: async (localAddress: string): Promise<boolean> => {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      opened.push(socket);
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
      const [said] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return Buffer.isBuffer(said);
    },
    refused: async () =>
      (await metrics.getSingleMetric('cas_http_connections_refused_total')!.get()).values[0]!.value,
  };
}

afterEach(async () => {
  for (const socket of opened) socket.destroy();
  opened = [];
  server.close();
  await once(server, 'close');
});

describe('connections', () => {
  test('from one address are at most half of all, and another may hold as many as it leaves free', async () => {
    const { open, refused } = await start(12);
    const first: boolean[] = [];
    for (let n = 0; n < 20; n++) first.push(await open('127.0.0.1'));
    expect(first.filter(Boolean)).toHaveLength(6);
    const second: boolean[] = [];
    for (let n = 0; n < 20; n++) second.push(await open('127.0.0.2'));
    expect(second.filter(Boolean)).toHaveLength(3);
    expect(await open('127.0.0.3')).toBe(true);
    expect(await refused()).toBe(14 + 17);
  });

  test('make room again once closed', async () => {
    const { open } = await start(4);
    expect([await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')]).toEqual([
      true,
      true,
      false,
    ]);
    const accepted = opened[0]!;
    accepted.destroy();
    await once(accepted, 'close');
    // The server notices by the next event.
    let found = false;
    while (!found) found = await open('127.0.0.1');
  });

  test('from a trusted proxy with many clients are limited only by the total', async () => {
    const { open } = await start(6, (address) => address === '127.0.0.9');
    const proxied: boolean[] = [];
    for (let n = 0; n < 8; n++) proxied.push(await open('127.0.0.9'));
    expect(proxied.filter(Boolean)).toHaveLength(6);
  });
});
