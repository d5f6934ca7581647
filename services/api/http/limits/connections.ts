import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import { networkOf } from '../../operations/limits/address-buckets.ts';

const NAME = 'cas_http_connections_refused_total';

/**
 * Limits a listener's connections and closes any beyond the limit. An address may hold as many as it leaves free (half
 * of them when alone), so no client without a key can keep others out by opening connections. `isProxy`: an address
 * that many clients share, to which only the total limit applies.
 */
export function limitConnections(
  server: Server,
  most: number,
  isProxy: (address: string) => boolean,
  metrics: Registry,
): void {
  const refused = (metrics.getSingleMetric(NAME) as Counter | undefined) ?? refusedCounter(metrics);
  const held = new Map<string, number>();
  let all = 0;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const owner = networkOf(address);
    const own = held.get(owner) ?? 0;
    if (all >= most || (own >= most - all && !isProxy(address))) {
      refused.inc();
      socket.destroy();
      return;
    }
    all++;
    held.set(owner, own + 1);
    socket.once('close', () => {
      all--;
      const left = (held.get(owner) ?? 1) - 1;
      if (left === 0) held.delete(owner);
      else held.set(owner, left);
    });
  });
}

const refusedCounter = (registry: Registry): Counter =>
  new Counter({
    name: NAME,
    help: 'Connections closed because the limit per listener or address was reached',
    registers: [registry],
  });
