import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { RequestFailed } from '../command/client.ts';
import { type Destination, folderDestination } from './destination.ts';
import { OtherOptions } from './export-periods.ts';
import { SETTLED_AFTER_MS } from './periods.ts';
import { runSchedule } from './run-schedule.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 20);
const FILES = ['signals-2026-11-20.csv', 'signals-2026-11-21.csv'];

let folder: string;
let now: number;
let asked: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'schedule-'));
  now = START + 2 * DAY_MS + SETTLED_AFTER_MS;
  asked = [];
});
afterEach(() => rm(folder, { recursive: true }));

interface Given {
  readonly destination?: Destination;
  readonly fails?: () => Error | null;
  readonly query?: string;
  readonly once?: boolean;
  /** Called while it waits; true stops it. */
  readonly meanwhile?: () => boolean;
}

async function run({ destination, fails, query = 'format=csv', once = true, meanwhile }: Given = {}) {
  const stop = new AbortController();
  const waited: number[] = [];
  const reported: string[] = [];
  await runSchedule(
    {
      destination: destination ?? (await folderDestination(folder)),
      format: 'csv',
      query: new URLSearchParams(query),
      stop: stop.signal,
      onStored: () => undefined,
      fetch: async (given, file) => {
        const error = fails?.() ?? null;
        if (error !== null) throw error;
        asked.push(given);
        await writeFile(file, given);
        const [contentDigest, asOf] = ['sha-256=:abc:', new Date(now).toISOString()];
        return { path: file, bytes: given.length, contentDigest, rows: 7, asOf, treeSize: '12' };
      },
    },
    {
      every: 'day',
      since: START + 1,
      once,
      now: () => now,
      onFailure: ({ message }) => reported.push(message),
      wait: async (ms) => {
        waited.push(ms);
        if (meanwhile?.() ?? true) stop.abort();
      },
    },
  );
  return { waited, reported };
}

const names = async (): Promise<string[]> => (await readdir(folder)).sort();
const withManifests = (files: readonly string[]): string[] =>
  files.flatMap((file) => [file, `${file}.manifest.json`]);

describe('a scheduled export', () => {
  test('makes a file and a manifest once for each period that has ended', async () => {
    await run({ query: 'format=csv&riskLevel=HIGH' });
    expect(await names()).toEqual(withManifests(FILES));
    const query =
      'format=csv&riskLevel=HIGH&from=2026-11-20T00%3A00%3A00.000Z&to=2026-11-20T23%3A59%3A59.999Z';
    expect(asked[0]).toBe(query);
    expect(await readFile(path.join(folder, FILES[0]!), 'utf8')).toBe(query);
    expect(JSON.parse(await readFile(path.join(folder, `${FILES[0]}.manifest.json`), 'utf8'))).toEqual({
      file: FILES[0],
      query,
      contentDigest: 'sha-256=:abc:',
      rows: 7,
      asOf: new Date(now).toISOString(),
      treeSize: '12',
    });
    await run({ query: 'format=csv&riskLevel=HIGH' });
    expect(asked).toHaveLength(2);
  });

  test('after a crash makes only the unfinished periods again', async () => {
    await run();
    await rm(path.join(folder, `${FILES[1]}.manifest.json`));
    await run();
    expect(asked).toHaveLength(3);
    expect(await names()).toEqual(withManifests(FILES));
  });

  test('continues with the next period when that has ended', async () => {
    const rounds = [false, true];
    const { waited } = await run({
      once: false,
      meanwhile: () => {
        now += DAY_MS;
        return rounds.shift()!;
      },
    });
    expect(await names()).toEqual(withManifests([...FILES, 'signals-2026-11-22.csv']));
    expect(waited).toEqual([10 * 60_000, 10 * 60_000]);
  });

  test('retries failures with longer and longer pauses, and loses nothing', async () => {
    let failures = 12;
    const { waited, reported } = await run({
      once: false,
      fails: () => {
        failures -= 1;
        return failures > 0 ? new Error('away') : null;
      },
      meanwhile: () => failures <= 0,
    });
    expect(reported).toEqual(Array(11).fill('away'));
    expect(waited.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
    expect(Math.max(...waited)).toBe(15 * 60_000);
    expect(await names()).toEqual(withManifests(FILES));
  });

  test.each([401, 400])('ends when waiting does not help: %i', async (status) => {
    const fails = (): Error => new RequestFailed('refused', status, null);
    await expect(run({ once: false, fails })).rejects.toThrow('refused');
    expect(await names()).toEqual([]);
  });

  test("does not touch another schedule's files", async () => {
    await run();
    const before = await readFile(path.join(folder, FILES[0]!), 'utf8');
    await expect(run({ once: false, query: 'format=csv&riskLevel=LOW' })).rejects.toThrow(OtherOptions);
    expect(await readFile(path.join(folder, FILES[0]!), 'utf8')).toBe(before);
    await writeFile(path.join(folder, `${FILES[0]}.manifest.json`), 'junk');
    await expect(run()).rejects.toThrow(/is not readable/);
  });

  test('names a folder that cannot be used', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await expect(folderDestination(file)).rejects.toThrow(/Cannot use the folder .*file: it exists already/);
  });
});
