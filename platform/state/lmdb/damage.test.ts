import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { FILE_DAMAGE, flipBitAfter } from '#platform/data-folder/testing/damage-file.ts';
import { DamagedDocument } from '../damaged-document.ts';
import { openEmbeddedState } from './state.ts';

const SCOPE = 'customer';
const COUNT = 400;

let folder: string;
let file: string;
const open = () => openEmbeddedState({ path: file, now: () => 1_000 });
const ref = (id: string) => ({ scope: SCOPE, collection: 'things', id });

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'state-damage-'));
  file = path.join(folder, 'state.mdb');
  const state = await open();
  const writes = Array.from({ length: COUNT }, (_, n) => ({
    collection: 'things',
    id: `thing-${n}`,
    value: { marked: `value of ${n}.`, filled: 'x'.repeat(400) },
  }));
  await state.documents.write(SCOPE, [
    ...writes,
    { collection: 'things', id: 'large', value: { filled: 'y'.repeat(20_000) } },
  ]);
  await state.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file of the state', () => {
  test('an intact state file is opened', async () => {
    const state = await open();
    expect(await state.documents.list(SCOPE, 'things')).toHaveLength(COUNT + 1);
    await state.close();
  });

  // When the library opens one of these, the process dies from a signal or documents go missing silently.
  test.each(Object.entries(FILE_DAMAGE))('%s is refused by name and not changed', async (_, damage) => {
    damage(file);
    const before = await readFile(file);
    await expect(open()).rejects.toMatchObject({
      name: 'DamagedFile',
      message: expect.stringMatching(
        /state\.mdb is damaged: .*restore the whole data folder from its backup/,
      ),
    });
    expect((await readFile(file)).equals(before)).toBe(true);
  });
});

describe('a document', () => {
  test('a document with a flipped bit is an error that names it, alone and in a list, and others are read', async () => {
    expect(flipBitAfter(file, 'value of 7.')).toBeGreaterThan(0);
    const state = await open();
    const named = /the state is damaged: documents\/customer\/things\/thing-7 differs from what was written/;
    await expect(state.documents.get(ref('thing-7'))).rejects.toThrow(named);
    await expect(state.documents.get(ref('thing-7'))).rejects.toBeInstanceOf(DamagedDocument);
    await expect(state.documents.list(SCOPE, 'things')).rejects.toThrow(named);
    expect((await state.documents.get(ref('thing-8')))?.value).toMatchObject({ marked: 'value of 8.' });
    await state.close();
  });

  test('a bit flipped outside of a document’s values is reported as damage, not as a parser error', async () => {
    expect(flipBitAfter(file, '{"marked"')).toBeGreaterThan(0);
    const state = await open();
    await expect(state.documents.get(ref('thing-7'))).rejects.toBeInstanceOf(DamagedDocument);
    await state.close();
  });
});
