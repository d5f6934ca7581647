import { afterEach, beforeEach, expect, test } from '#jest';
import { eventually } from '../../../test/helpers/eventually.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import type { State } from '../port.ts';
import { type RedisBench, redisBench } from '../testing/redis-server.ts';

const WITHIN_MS = 60_000;
const PRIMARY = 'audit-state';
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--repl-diskless-sync-delay', '0'];
const GUARDED = [...DURABLE, '--min-replicas-to-write', '1'];
const SENTINEL_PASSWORD = 'of the sentinel';

describeOn('redis', 'a state that finds its primary through Sentinels', () => {
  let bench: RedisBench;
  beforeEach(() => {
    bench = redisBench();
  });
  afterEach(() => bench.close());

  const at = (port: number): string => `redis://127.0.0.1:${port}`;

  /** A primary with two replicas, all with these settings, and a Sentinel; resolves when a fail-over is possible. */
  async function startServers(settings: readonly string[]): Promise<{ primary: number; sentinel: number }> {
    const primary = await bench.bareServer(...settings);
    for (let replica = 0; replica < 2; replica += 1)
      await bench.bareServer(...settings, '--replicaof', '127.0.0.1', String(primary));
    const sentinel = await bench.sentinel(PRIMARY, primary, SENTINEL_PASSWORD);
    const asked = bench.client(`redis://:${encodeURIComponent(SENTINEL_PASSWORD)}@127.0.0.1:${sentinel}`);
    await eventually('the Sentinel knows both replicas', WITHIN_MS, async () => {
      const replicas = (await asked.call('SENTINEL', 'REPLICAS', PRIMARY)) as string[][];
      const online = replicas.filter((replica) => replica.join(' ').includes('master-link-status ok'));
      return online.length === 2 ? true : undefined;
    });
    return { primary, sentinel };
  }

  const open = (sentinel: number): Promise<State> =>
    bench.state(`redis://${PRIMARY}`, {
      sentinels: [`127.0.0.1:${sentinel}`],
      sentinelPassword: SENTINEL_PASSWORD,
      commandTimeoutMs: 5_000,
    });

  test('when the primary is killed during writes, the state finds the next one, with every acknowledged record', async () => {
    const { primary, sentinel } = await startServers(GUARDED);
    const state = await open(sentinel);
    const written = new Set<string>();
    const ref = (id: string) => ({ scope: 'c', collection: 'd', id });
    let isWriting = true;
    const writer = async (name: number): Promise<void> => {
      for (let n = 0; isWriting; n += 1) {
        const id = `${name}-${n}`;
        await state.documents.write('c', [{ ...ref(id), value: id }]).then(
          () => written.add(id),
          () => new Promise(setImmediate),
        );
      }
    };
    const writers = [0, 1, 2, 3].map(writer);
    const more = async (what: string, count: number): Promise<void> => {
      const before = written.size;
      await eventually(what, WITHIN_MS, async () => written.size >= before + count || undefined);
    };
    await more('records are written', 50);
    const connectedAt = state.connections();
    const pid = /process_id:(\d+)/.exec(await bench.client(at(primary)).info('server'))?.[1];
    process.kill(Number(pid), 'SIGKILL');
    await more('records are written to the next primary', 50);
    isWriting = false;
    await Promise.all(writers);
    expect(state.connections()).toBeGreaterThan(connectedAt);
    for (const id of written) expect((await state.documents.get(ref(id)))?.value).toBe(id);
  }, 180_000);

  test('servers whose primary would acknowledge without replicas are refused, naming the setting', async () => {
    const { sentinel } = await startServers(DURABLE);
    await expect(open(sentinel)).rejects.toThrow(
      `cannot use Redis at "${PRIMARY}" of the Sentinels 127.0.0.1:${sentinel}: set "min-replicas-to-write 1" on every server`,
    );
  }, 120_000);

  test('a Sentinel given as the server is refused, naming the settings to use', async () => {
    const { sentinel } = await startServers(GUARDED);
    const url = `redis://:${encodeURIComponent(SENTINEL_PASSWORD)}@127.0.0.1:${sentinel}`;
    await expect(bench.state(url)).rejects.toThrow(/REDIS_SENTINELS/);
  }, 120_000);
});
