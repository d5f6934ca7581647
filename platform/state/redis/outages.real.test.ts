import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '#jest';
import type { LocalServer } from '../../../deploy/local/server/local-server.ts';
import { eventually } from '../../../test/helpers/eventually.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { type State, StateUnavailable } from '../port.ts';
import {
  CUSTOMER,
  idempotencyKey,
  KEY_HASH,
  NOON,
  reserveRequest,
  seedCustomer,
} from '../testing/contract-seed.ts';
import { type RedisBench, redisBench } from '../testing/redis-server.ts';

const WITHIN_MS = 30_000;

describeOn('redis', 'state on a Redis that fails', () => {
  let bench: RedisBench;
  let server: LocalServer;
  beforeEach(async () => {
    bench = redisBench();
    server = await bench.server();
  });
  afterEach(() => bench.close());

  const works = (state: State): Promise<unknown> =>
    eventually('the state works again', WITHIN_MS, async () => {
      await state.ping();
      await state.documents.write('c1', [{ collection: 'docs', id: 'again', value: 1 }]);
      await state.expiring.set('again', 'x', 1_000);
      return true;
    });
  const refusal = (call: Promise<unknown>): Promise<Error> =>
    call.then(
      () => new Error('the call was answered'),
      (error: Error) => error,
    );
  const settle = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));

  test('acknowledged writes survive kill -9, calls during the outage reject, and the same client continues', async () => {
    const state = await bench.state(server.address);
    await seedCustomer(state, { ratePerSecond: 1e9, burst: 1e9 });
    const answered = new Map<string, (id: string) => Promise<boolean>>();
    const failures: unknown[] = [];
    let stopped = false;
    const { documents, admission, expiring } = state;
    const ref = (id: string) => ({ scope: CUSTOMER, collection: 'docs', id });
    const entry = (id: string) => ({
      entryId: `E:${id}`,
      topic: 't',
      key: CUSTOMER,
      valueBase64: '',
      headers: {},
    });
    const calls: ((id: string) => Promise<unknown>)[] = [
      async (id) => {
        await documents.write(CUSTOMER, [
          { collection: 'docs', id, expectedVersion: 0, value: id, entries: [entry(id)] },
        ]);
        answered.set(`document-${id}`, async () => {
          const [pending] = await documents.pending(ref(id));
          return (await documents.get(ref(id)))?.value === id && pending?.entryId === `E:${id}`;
        });
      },
      async (id) => {
        await admission.reserve(reserveRequest([id], { idempotency: idempotencyKey(id) }));
        answered.set(`reserved-${id}`, async () => (await admission.pendingMark(CUSTOMER, id)) !== null);
      },
      async (id) => {
        await expiring.set(id, id, 3_600_000);
        answered.set(`expiring-${id}`, async () => (await expiring.get(id)) === id);
      },
      async () => expect(await admission.authenticate(KEY_HASH)).toMatchObject({ outcome: 'admitted' }),
    ];
    const work = async (worker: number): Promise<void> => {
      for (let step = 0; !stopped; step += 1) {
        try {
          await calls[step % calls.length]!(`${worker}-${step}`);
        } catch (error) {
          failures.push(error);
          // Calls are refused at once during an outage, so this lets the event loop turn.
          await settle(5);
        }
      }
    };
    const workers = Array.from({ length: 16 }, (_, worker) => work(worker));
    for (let round = 1; round <= 3; round += 1) {
      const connections = state.connections();
      const [enough, failed] = [answered.size + 300, failures.length];
      await eventually('work is done', WITHIN_MS, async () => answered.size > enough || undefined);
      await server.kill();
      await eventually(
        'calls are refused',
        WITHIN_MS,
        async () => failures.length > failed + 20 || undefined,
      );
      expect((await refusal(state.ping())).message).toContain('cannot reach Redis');
      await server.restart();
      await works(state);
      // It is unknown whether it is the same server.
      expect(state.connections()).toBeGreaterThan(connections);
    }
    stopped = true;
    await Promise.all(workers);
    expect(failures.filter((error) => !(error instanceof StateUnavailable))).toEqual([]);
    const lost = await Promise.all(
      [...answered].map(async ([id, isThere]) => ((await isThere(id)) ? [] : [id])),
    );
    expect(lost.flat()).toEqual([]);
    const reserved = [...answered.keys()].filter((id) => id.startsWith('reserved-')).length;
    expect(await admission.auditCount(CUSTOMER, NOON)).toBeGreaterThanOrEqual(reserved);
    expect(bench.lines.map(({ message }) => message)).toContain('state available again');
  });

  test('when a server hangs, every call rejects in time and works when the server continues', async () => {
    const state = await bench.state(server.address, { commandTimeoutMs: 300 });
    await seedCustomer(state);
    await state.admission.authenticate(KEY_HASH);
    process.kill(server.pid, 'SIGSTOP');
    const calls = [
      () => state.ping(),
      () => state.admission.authenticate(KEY_HASH),
      () => state.admission.reserve(reserveRequest(['a1'])),
      () => state.documents.get({ scope: 'c1', collection: 'docs', id: 'a' }),
      () => state.documents.write('c1', [{ collection: 'docs', id: 'a', value: 1 }]),
      () => state.idempotency.begin('c1', idempotencyKey('k'), 1),
      () => state.expiring.get('x'),
    ];
    try {
      for (let round = 0; round < 3; round += 1)
        for (const error of await Promise.all(calls.map((call) => refusal(call()))))
          expect(error).toBeInstanceOf(StateUnavailable);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await works(state);
    expect(await state.admission.authenticate(KEY_HASH)).toMatchObject({ outcome: 'admitted' });
  });

  test('a connection without replies is replaced', async () => {
    const { hostname, port, password } = new URL(server.address);
    const links: { client: Socket; upstream: Socket }[] = [];
    const network = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      links.push({ client, upstream });
      for (const end of [client, upstream]) end.on('error', () => undefined);
      client.pipe(upstream).pipe(client);
    }).listen(0, '127.0.0.1');
    try {
      await once(network, 'listening');
      const { port: own } = network.address() as AddressInfo;
      const state = await bench.state(`redis://127.0.0.1:${own}`, { password, commandTimeoutMs: 300 });
      await works(state);
      const cut = links.splice(0);
      for (const { client, upstream } of cut) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        client.resume();
      }
      expect(await refusal(state.expiring.get('x'))).toBeInstanceOf(StateUnavailable);
      await works(state);
      for (const { upstream } of cut) upstream.destroy();
      await state.close();
    } finally {
      for (const { client, upstream } of links) for (const end of [client, upstream]) end.destroy();
      network.close();
    }
  });

  test('a server that lost its scripts gets them again', async () => {
    const state = await bench.state(server.address);
    await seedCustomer(state);
    for (let round = 0; round < 3; round += 1) {
      await bench.client(server.address).script('FLUSH');
      const outcomes = await Promise.all([
        ...Array.from({ length: 4 }, () => state.admission.authenticate(KEY_HASH)),
        state.documents.write('c1', [{ collection: 'docs', id: 'a', value: round }]),
        state.admission.reserve(reserveRequest([`a${round}`])),
      ]);
      expect(outcomes.slice(0, 4).map((outcome) => 'outcome' in outcome && outcome.outcome)).toEqual(
        Array(4).fill('admitted'),
      );
    }
    expect(await state.documents.get({ scope: 'c1', collection: 'docs', id: 'a' })).toMatchObject({
      version: 3,
    });
    expect(await state.admission.auditCount(CUSTOMER, NOON)).toBe(3);
  });

  test('documents wait for a connected replica, and admission does not', async () => {
    const replica = await bench.server();
    const [primaryClient, replicaClient] = [bench.client(server.address), bench.client(replica.address)];
    const state = await bench.state(server.address, { commandTimeoutMs: 6_000 });
    await seedCustomer(state);
    const follow = async (address: string): Promise<void> => {
      const { hostname, port, password } = new URL(address);
      await replicaClient.config('SET', 'masterauth', password);
      await replicaClient.replicaof(hostname, port);
    };
    await follow(server.address);
    await eventually(
      'the replica follows',
      WITHIN_MS,
      async () => /slave0:.*state=online/.test(await primaryClient.info('replication')) || undefined,
    );
    // In a separate scope: the customer's admission would have to wait for the customer's unconfirmed record.
    const write = (id: string) =>
      state.documents.write('c1', [{ collection: 'docs', id, value: id, expectedVersion: 0 }]);
    for (let n = 0; n < 20; n += 1) {
      expect(await write(`r${n}`)).toMatchObject({ ok: true });
      expect(await replicaClient.hget(`cas:doc:{c1}:docs:r${n}`, 'json')).toContain(`"r${n}"`);
    }

    process.kill(replica.pid, 'SIGSTOP');
    try {
      const [error, authenticated] = await Promise.all([
        refusal(write('unconfirmed')),
        state.admission.authenticate(KEY_HASH),
      ]);
      expect(error).toBeInstanceOf(StateUnavailable);
      expect(error.message).toContain('no Redis replica confirmed');
      expect(authenticated).toMatchObject({ outcome: 'admitted' });
      await state.admission.reserve(reserveRequest(['a1']));
    } finally {
      process.kill(replica.pid, 'SIGCONT');
    }
    expect(await write('unconfirmed')).toMatchObject({ ok: false });

    await replica.kill();
    await eventually(
      'the replica is given up',
      WITHIN_MS,
      async () => (await primaryClient.info('replication')).includes('connected_slaves:0') || undefined,
    );
    expect(await write('alone')).toMatchObject({ ok: true });
    expect(bench.lines.map(({ message }) => message)).toContain('no redis replica connected');
  });

  test('a server that became a replica is refused, and used again when it is the primary', async () => {
    const other = await bench.server();
    const state = await bench.state(server.address);
    const client = bench.client(server.address);
    await state.expiring.set('x', '1', 60_000);
    const { hostname, port, password } = new URL(other.address);
    await client.config('SET', 'masterauth', password);
    await client.replicaof(hostname, port);
    expect(await refusal(state.expiring.set('x', '2', 60_000))).toBeInstanceOf(StateUnavailable);
    await eventually(
      'the replica is recognised',
      WITHIN_MS,
      async () => (await refusal(state.expiring.get('x'))).message.includes('it is a replica') || undefined,
    );
    expect((await refusal(state.ping())).message).toContain('address of the primary');
    await client.replicaof('NO', 'ONE');
    await works(state);
  });

  test('closing the state leaves nothing behind while the server is down', async () => {
    const state = await bench.state(server.address);
    await server.kill();
    await refusal(state.expiring.get('x'));
    await state.close();
    await state.close();
    expect((await refusal(state.expiring.get('x'))).message).toBe('the state is closed');
  });
});
