import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { eventually } from '../../../test/helpers/eventually.ts';
import type { RedisBench } from './redis-server.ts';

/** A primary with one replica, and control over the network between them. */
export interface ReplicatedRedis {
  readonly primary: string;
  /** Stops all data to the replica, while the primary believes it connected. */
  pause(): void;
  /** Delivers the delayed data to the replica. */
  release(): void;
  /** Cuts the connection permanently; the primary knows that it has no replica. */
  cut(): Promise<void>;
  /** Loses the primary with its unreplicated writes; resolves to the address of the replica, now a primary. */
  failOver(): Promise<string>;
}

const WITHIN_MS = 30_000;

/** `bench` ends the servers; the network ends with them. */
export async function replicatedRedis(bench: RedisBench): Promise<ReplicatedRedis> {
  const [primary, replica] = [await bench.server(), await bench.server()];
  const { hostname, port, password } = new URL(primary.address);
  const links: { toReplica: Socket; toPrimary: Socket }[] = [];
  let isCut = false;
  const network = createServer((toReplica) => {
    const toPrimary = connect(Number(port), hostname);
    for (const end of [toReplica, toPrimary]) end.on('error', () => undefined);
    if (isCut) {
      toReplica.destroy();
      toPrimary.destroy();
      return;
    }
    links.push({ toReplica, toPrimary });
    toReplica.pipe(toPrimary).pipe(toReplica);
  }).listen(0, '127.0.0.1');
  await once(network, 'listening');
  network.unref();
  const [primaryClient, replicaClient] = [bench.client(primary.address), bench.client(replica.address)];
  // Otherwise it would wait five seconds for more replicas to copy its data to.
  await primaryClient.config('SET', 'repl-diskless-sync-delay', 0);
  await replicaClient.config('SET', 'masterauth', password);
  await replicaClient.replicaof('127.0.0.1', (network.address() as AddressInfo).port);
  const replication = (): Promise<string> => primaryClient.info('replication');
  await eventually(
    'the replica follows',
    WITHIN_MS,
    async () => /slave0:.*state=online/.test(await replication()) || undefined,
  );

  const destroyLinks = (): void => {
    isCut = true;
    for (const { toReplica, toPrimary } of links.splice(0))
      for (const end of [toReplica, toPrimary]) end.destroy();
    network.close();
  };
  return {
    primary: primary.address,
    pause: () => {
      for (const { toReplica, toPrimary } of links) toPrimary.unpipe(toReplica).pause();
    },
    release: () => {
      for (const { toReplica, toPrimary } of links) toPrimary.pipe(toReplica);
    },
    cut: async () => {
      destroyLinks();
      await eventually(
        'the replica is given up',
        WITHIN_MS,
        async () => (await replication()).includes('connected_slaves:0') || undefined,
      );
    },
    failOver: async () => {
      destroyLinks();
      await primary.kill();
      await replicaClient.replicaof('NO', 'ONE');
      return replica.address;
    },
  };
}
