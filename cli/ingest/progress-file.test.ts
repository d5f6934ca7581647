import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { openProgressFile, type ProgressEntry, type ProgressFile, type Target } from './progress-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'progress-'));
  file = path.join(folder, 'items.cas-progress');
});
afterEach(() => rmSync(folder, { recursive: true }));

const TARGET: Target = { url: 'http://127.0.0.1:8080', key: 'a1' };
const entries = (count: number, name: string): ProgressEntry[] =>
  Array.from({ length: count }, (_, n) => ({ line: n + 1, digest: name, auditId: `${name}-${n}` }));

/** Opens the file, uses it and closes it, like one run. */
async function using<Result>(
  use: (progress: ProgressFile) => Promise<Result>,
  target = TARGET,
): Promise<Result> {
  const progress = await openProgressFile(file, target);
  return use(progress).finally(progress.close);
}

test('a later run finds the last record of each segment from earlier runs', async () => {
  await using(async (progress) => {
    expect(await progress.of(0)).toEqual([]);
    await Promise.all([0, 2, 1].map((segment) => progress.add(segment, entries(300, `first-${segment}`))));
    expect(await progress.of(2)).toEqual(entries(300, 'first-2'));
  });
  await using((progress) => progress.add(1, entries(2, 'second')));
  await using(async (progress) => {
    expect(await progress.of(0)).toEqual(entries(300, 'first-0'));
    expect(await progress.of(1)).toEqual(entries(2, 'second'));
    expect(await progress.of(2)).toEqual(entries(300, 'first-2'));
    expect(await progress.of(3)).toEqual([]);
  });
});

test('a record truncated by a crash is removed, wherever it was cut', async () => {
  await using((progress) => progress.add(0, entries(3, 'whole')));
  const whole = readFileSync(file);
  await using((progress) => progress.add(1, entries(3, 'cut')));
  const all = readFileSync(file);
  for (const end of [whole.length, whole.length + 1, whole.length + 40, all.length - 1]) {
    rmSync(file);
    appendFileSync(file, all);
    truncateSync(file, end);
    await using(async (progress) => {
      expect(await progress.of(0)).toEqual(entries(3, 'whole'));
      expect(await progress.of(1)).toEqual([]);
      await progress.add(1, entries(1, 'again'));
    });
    expect(await using((progress) => progress.of(1))).toEqual(entries(1, 'again'));
  }
});

test('a truncated first record is written again', async () => {
  await using(async () => undefined);
  truncateSync(file, 5);
  await using((progress) => progress.add(0, entries(1, 'x')), { ...TARGET, key: 'b2' });
  expect(await using((progress) => progress.of(0), { ...TARGET, key: 'b2' })).toEqual(entries(1, 'x'));
});

test('is not used for another address or key', async () => {
  await using((progress) => progress.add(0, entries(1, 'x')));
  const before = readFileSync(file);
  const other = (target: Target) => openProgressFile(file, target);
  await expect(other({ ...TARGET, key: 'b2' })).rejects.toThrow('another API key');
  await expect(other({ ...TARGET, url: 'http://x' })).rejects.toThrow('another address');
  expect(readFileSync(file)).toEqual(before);
});
