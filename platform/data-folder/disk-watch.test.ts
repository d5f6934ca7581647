import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, jest, test } from '#jest';
import { type DiskWatch, spaceOfFolder, watchDisk } from './disk-watch.ts';

const GIB = 1024 ** 3;
let free: Record<string, number> = {};
let total = 100 * GIB;
let fails = false;
const warnings: unknown[] = [];
let watch: DiskWatch;

const start = async (leastFreeBytes: number | null, intervalMs = 60_000): Promise<DiskWatch> => {
  watch = await watchDisk({
    folders: { log: '/l', warehouse: '/w' },
    leastFreeBytes,
    logger: { warn: (fields: object) => void warnings.push(fields) },
    intervalMs,
    spaceOf: async (folder) => {
      if (fails) throw new Error('away');
      return { freeBytes: free[folder] ?? 0, totalBytes: total };
    },
  });
  return watch;
};
const levels = () => watch.spaces().map(({ name, level }) => `${name} ${level}`);

afterEach(async () => {
  await watch?.stop();
  jest.useRealTimers();
});

test('warns before clients are refused, refuses below the minimum, and accepts them again once there is space', async () => {
  free = { '/l': 50 * GIB, '/w': 50 * GIB };
  await start(5 * GIB);
  expect([levels(), watch.shortage()]).toEqual([['log fits', 'warehouse fits'], null]);
  free['/w'] = 10 * GIB - 1;
  await watch.look();
  expect([levels(), watch.shortage()]).toEqual([['log fits', 'warehouse warns'], null]);
  free['/w'] = 5 * GIB - 1;
  await watch.look();
  expect(levels()).toEqual(['log fits', 'warehouse refuses']);
  expect(watch.shortage()).toMatch(/less than DATA_MIN_FREE_BYTES \(5368709120\)/);
  free['/w'] = 50 * GIB;
  await watch.look();
  expect(watch.shortage()).toBeNull();
});

test.each([
  [100 * GIB, GIB],
  [10 * GIB, Math.floor(GIB / 2)],
])('by default reserves 5 %% of the disk, at most 1 GiB: of %i bytes %i', async (size, least) => {
  total = size;
  free = { '/l': size, '/w': size };
  await start(null);
  expect(watch.spaces().map(({ leastFreeBytes }) => leastFreeBytes)).toEqual([least, least]);
});

test('checks periodically, and a failed check changes nothing', async () => {
  jest.useFakeTimers();
  free = { '/l': 50 * GIB, '/w': 50 * GIB };
  await start(5 * GIB, 1_000);
  free['/l'] = 1;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(levels()[0]).toBe('log refuses');
  fails = true;
  await jest.advanceTimersByTimeAsync(1_000);
  fails = false;
  expect([levels()[0], warnings.length]).toEqual(['log refuses', 1]);
  free['/l'] = 50 * GIB;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(levels()[0]).toBe('log fits');
});

test('reports the space of a real folder, even of one that does not exist yet', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-'));
  const { freeBytes, totalBytes } = await spaceOfFolder(path.join(folder, 'not', 'made'));
  expect(freeBytes).toBeGreaterThan(0);
  expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
  await rm(folder, { recursive: true });
});
