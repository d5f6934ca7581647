import { afterEach, expect, jest, test } from '#jest';
import { createMetrics } from '../metrics/metrics.ts';
import { readinessOf } from './readiness.ts';
import { type StorageReport, storageCheck, watchStorage } from './storage.ts';

const GIB = 1024 ** 3;

const report = (
  log: NonNullable<StorageReport['log']>['level'],
  disk: StorageReport['folders'][number]['level'],
): StorageReport => ({
  log: { usedBytes: 9.5 * GIB, maxBytes: 10 * GIB, level: log },
  folders: [
    { name: 'warehouse', freeBytes: GIB, totalBytes: 100 * GIB, leastFreeBytes: 0.5 * GIB, level: disk },
  ],
});
const readiness = (found: StorageReport) =>
  readinessOf({ needed: {}, checks: { storage: async () => storageCheck(found) } })();

afterEach(() => {
  jest.useRealTimers();
});

test('readiness has no message while there is space', async () => {
  expect(await readiness(report('fits', 'fits'))).toEqual({
    status: 'ready',
    checks: { storage: { ok: true } },
  });
});

test('readiness warns, with what to do, before ingest is refused', async () => {
  const { status, checks } = await readiness(report('warns', 'warns'));
  expect([status, checks.storage?.ok]).toEqual(['ready', true]);
  expect(checks.storage?.message).toMatch(
    /uses 9\.5 GiB of 10\.0 GiB \(LOG_MAX_BYTES\).*raise LOG_MAX_BYTES/,
  );
  expect(checks.storage?.message).toMatch(
    /the disk of the warehouse has 1\.0 GiB free.*Free or add disk space/,
  );
});

test.each([
  ['refuses', 'fits', /^ingest answers 503: the event log uses/],
  ['warns', 'refuses', /^ingest answers 503: the disk of the warehouse has 1\.0 GiB free/],
] as const)(
  'with the log at %s and the disk at %s readiness fails, but the process still accepts requests',
  async (log, disk, message) => {
    const { status, checks } = await readiness(report(log, disk));
    expect([status, checks.storage?.ok]).toEqual(['degraded', false]);
    expect(checks.storage?.message).toMatch(message);
  },
);

test('the metrics report the same', async () => {
  let found = report('warns', 'refuses');
  const metrics = createMetrics();
  metrics.storage(() => found);
  const lines = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('cas_storage'));
  expect(await lines()).toEqual([
    `cas_storage_used_bytes{store="log"} ${9.5 * GIB}`,
    `cas_storage_max_bytes{store="log"} ${10 * GIB}`,
    `cas_storage_free_bytes{store="warehouse"} ${GIB}`,
    `cas_storage_min_free_bytes{store="warehouse"} ${0.5 * GIB}`,
    'cas_storage_level{store="log",limit="max_bytes"} 1',
    'cas_storage_level{store="warehouse",limit="free_bytes"} 2',
  ]);
  found = report('fits', 'fits');
  expect((await lines()).slice(-2).map((line) => line.at(-1))).toEqual(['0', '0']);
});

test('the service logs one line per change', () => {
  jest.useFakeTimers();
  const lines: string[] = [];
  const note = (level: string) => (_: unknown, text: string) => void lines.push(`${level} ${text}`);
  let found = report('fits', 'fits');
  const watch = watchStorage(
    () => found,
    { info: note('info'), warn: note('warn'), error: note('error') } as never,
    1_000,
  );
  for (const next of [report('warns', 'fits'), report('refuses', 'fits'), report('fits', 'fits')]) {
    found = next;
    jest.advanceTimersByTime(3_000);
  }
  watch.stop();
  expect(lines).toEqual([
    'warn storage space low',
    'error storage full; ingest refused',
    'info storage space sufficient again',
  ]);
});
