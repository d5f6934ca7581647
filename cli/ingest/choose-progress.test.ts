import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { type ChosenProgress, chooseProgress } from './choose-progress.ts';

const TARGET = { url: 'http://127.0.0.1:8080', key: 'a1' };
/** No file can be created next to it, not even by root. */
const READ_ONLY = '/proc/version';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'choose-progress-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const choose = (change: object): Promise<ChosenProgress> =>
  chooseProgress({
    named: null,
    file: null,
    stateFolder: path.join(folder, 'state'),
    target: TARGET,
    ...change,
  });
/** Adds an entry if there is none; returns whether there was one. */
async function noted({ progress }: ChosenProgress): Promise<boolean> {
  const known = await progress.of(0);
  await progress.add(0, [{ line: 1, digest: 'd', auditId: 'a' }]);
  await progress.close();
  return known.length > 0;
}

test('outcomes are kept next to the file', async () => {
  const file = path.join(folder, 'items.ndjson');
  const chosen = await choose({ file });
  expect([chosen.path, chosen.notice]).toEqual([`${file}.cas-progress`, null]);
  expect(await noted(chosen)).toBe(false);
  expect(await noted(await choose({ file }))).toBe(true);
});

test('if that folder is read-only they are kept in the state folder, per path, with a notice', async () => {
  const chosen = await choose({ file: READ_ONLY });
  expect(chosen.path).toMatch(/state\/cas\/ingest\/version-[0-9a-f]{16}\.cas-progress$/);
  expect(chosen.notice).toBe(
    `${READ_ONLY}.cas-progress is not writable. Results are recorded in ${chosen.path}`,
  );
  expect(await noted(chosen)).toBe(false);
  expect(await noted(await choose({ file: READ_ONLY }))).toBe(true);
  expect(statSync(path.dirname(chosen.path!)).mode & 0o777).toBe(0o700);
  const other = await choose({ file: '/proc/self/version' });
  expect(other.path).not.toBe(chosen.path);
  await other.progress.close();
});

test('if neither can be written they are not kept, with a notice', async () => {
  const occupied = path.join(folder, 'occupied');
  writeFileSync(occupied, '');
  const chosen = await choose({ file: READ_ONLY, stateFolder: occupied });
  expect([chosen.path, chosen.notice]).toEqual([null, expect.stringContaining('results are not recorded')]);
  expect(await noted(chosen)).toBe(false);
});

test('a named file is used exclusively, for streams too; a stream has none by default', async () => {
  const named = path.join(folder, 'named');
  const stream = await choose({});
  expect([stream.path, stream.notice]).toEqual([null, null]);
  expect(await noted(stream)).toBe(false);
  const chosen = await choose({ named });
  expect([chosen.path, await noted(chosen), existsSync(named)]).toEqual([named, false, true]);
  expect(await noted(await choose({ named }))).toBe(true);
  await expect(choose({ named: path.join(folder, 'missing', 'x') })).rejects.toThrow(
    /Cannot write --progress .*x: no such file or folder/,
  );
});
