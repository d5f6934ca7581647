import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { describeWithStranger, STRANGER_ID, startStranger } from '#platform/data-folder/testing/stranger.ts';
import { makeDataFolder } from './data-folder.ts';
import { refuseOpenFolder } from './private-folder.ts';

let parent: string;
let folder: string;
const warnings: object[] = [];
const logger = { warn: (fields: object) => warnings.push(fields) };
const modeOf = (name: string): number => statSync(name).mode & 0o777;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'cas-private-'));
  chmodSync(parent, 0o755);
  folder = path.join(parent, 'data');
  warnings.length = 0;
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('data folder', () => {
  test('is created for its owner only, whatever the umask', () => {
    const before = process.umask(0);
    try {
      makeDataFolder(folder, logger);
    } finally {
      process.umask(before);
    }
    expect(modeOf(folder)).toBe(0o700);
    expect(warnings).toEqual([]);
  });

  test('that cannot be created or written is refused immediately, with what to do', () => {
    const file = path.join(parent, 'file');
    writeFileSync(file, '');
    const andThen = '; set DATA_DIR to a folder that this user can write';
    expect(() => makeDataFolder(file)).toThrow(`DATA_DIR: ${file} is a file${andThen}`);
    const below = path.join(file, 'in', 'it');
    expect(() => makeDataFolder(below)).toThrow(`DATA_DIR: ${below} is inside a file${andThen}`);
    // Node's own recursive mkdir never returns for this path.
    expect(() => makeDataFolder('/proc/nope/data')).toThrow(
      `DATA_DIR: cannot create or write /proc/nope (ENOENT)${andThen}`,
    );
  });

  test('is created with its parents, for its owner only', () => {
    makeDataFolder(path.join(folder, 'a', 'b'));
    expect(['', 'a', 'a/b'].map((name) => modeOf(path.join(folder, name)))).toEqual([0o700, 0o700, 0o700]);
  });

  test('open to others is closed, and the log says so once', () => {
    for (const mode of [0o755, 0o750, 0o711, 0o777, 0o1777]) {
      warnings.length = 0;
      makeDataFolder(folder);
      chmodSync(folder, mode);
      makeDataFolder(folder, logger);
      makeDataFolder(folder, logger);
      expect(modeOf(folder)).toBe(0o700);
      expect(warnings).toEqual([{ path: folder, previousMode: (mode & 0o777).toString(8) }]);
    }
  });

  test('open to others is refused if that cannot be corrected', () => {
    makeDataFolder(folder);
    refuseOpenFolder(folder, statSync(folder));
    chmodSync(folder, 0o710);
    expect(() => refuseOpenFolder(folder, statSync(folder))).toThrow(`(mode 710). Run: chmod 700 ${folder}`);
  });
});

describeWithStranger('data folder and another user', () => {
  test('another user’s folder is refused and left unchanged', () => {
    makeDataFolder(folder);
    chmodSync(folder, 0o755);
    chownSync(folder, STRANGER_ID, STRANGER_ID);
    const own = process.geteuid?.();
    expect(() => makeDataFolder(folder, logger)).toThrow(
      `${folder} belongs to user ${STRANGER_ID}, but this process runs as user ${own}; choose another folder`,
    );
    expect(() => refuseOpenFolder(folder, statSync(folder))).toThrow('belongs to user');
    expect(modeOf(folder)).toBe(0o755);
  });

  test('another user can read an open data folder until it is opened again', async () => {
    makeDataFolder(folder);
    chmodSync(folder, 0o755);
    const stranger = startStranger(
      `const fs = require('node:fs');
       require('node:readline').createInterface(process.stdin).on('line', () => {
         let said = 'read';
         try { fs.readdirSync(process.argv[1]); } catch (error) { said = error.code; }
         console.log(JSON.stringify(said));
       });`,
      [folder],
    );
    try {
      expect(await stranger.ask('try')).toBe('read');
      makeDataFolder(folder, logger);
      expect(await stranger.ask('try')).toBe('EACCES');
    } finally {
      await stranger.end();
    }
  });
});
