import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from '#jest';
import { filesBelow } from '../../../test/helpers/files-below.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { type RedisBench, redisBench } from '../testing/redis-server.ts';

describeOn('redis', 'scrubbing the files of a Redis server', () => {
  let bench: RedisBench;
  beforeEach(() => {
    bench = redisBench();
  });
  afterEach(() => bench.close());
  const at = (port: number): string => `redis://127.0.0.1:${port}`;
  const durable = (...settings: string[]): Promise<number> =>
    bench.bareServer('--appendonly', 'yes', '--appendfsync', 'always', ...settings);
  const gone = () => new AbortController().signal;

  async function isOnDisk(client: Redis, text: string): Promise<boolean> {
    const [, folder = ''] = (await client.config('GET', 'dir')) as string[];
    const files = filesBelow(folder);
    expect(files.length).toBeGreaterThan(0);
    return files.some(({ bytes }) => bytes.includes(text));
  }

  test('removes deleted and replaced values from the files, also when a rewrite started before', async () => {
    const port = await durable();
    const client = bench.client(at(port));
    const state = await bench.state(at(port));
    const write = (id: string, value: unknown) =>
      state.documents.write('c1', [{ collection: 'keks', id, value }]);
    // Enough data that a rewrite takes a while.
    for (let n = 0; n < 50; n += 1) await write(`kept-${n}`, `KEPT ${n} ${'x'.repeat(100_000)}`);
    await write('deleted', 'SECRET one');
    await write('replaced', 'SECRET two');
    await client.bgrewriteaof();
    await write('deleted', null);
    await write('replaced', { status: 'destroyed' });
    expect(await isOnDisk(client, 'SECRET')).toBe(true);
    expect(await state.scrub(gone())).toBe(true);
    expect(await isOnDisk(client, 'SECRET')).toBe(false);
    expect(await isOnDisk(client, 'KEPT 49')).toBe(true);
    expect((await state.documents.get({ scope: 'c1', collection: 'keks', id: 'replaced' }))?.value).toEqual({
      status: 'destroyed',
    });
  });

  test('a scrub returns false when the server forbids it, and ends when aborted', async () => {
    const state = await bench.state(at(await durable('--rename-command', 'BGREWRITEAOF', '')));
    expect(await state.scrub(gone())).toBe(false);

    const port = await durable();
    const client = bench.client(at(port));
    const other = await bench.state(at(port));
    // A slow save delays the rewrite, which is then only scheduled.
    for (let n = 0; n < 200; n += 1) await client.set(`k${n}`, 'x'.repeat(10_000));
    await client.config('SET', 'rdb-key-save-delay', '100000');
    await client.bgsave();
    const giveUp = new AbortController();
    const scrub = other.scrub(giveUp.signal);
    giveUp.abort();
    await expect(scrub).rejects.toMatchObject({ name: 'AbortError' });
  });
});
