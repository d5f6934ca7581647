import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { describeWithStranger, startStranger } from '#platform/data-folder/testing/stranger.ts';
import { acquireDataLock } from './lock.ts';

let folder: string;
const children: ChildProcessWithoutNullStreams[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'data-lock-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Another process that tries to acquire the lock; resolves with its first output. */
async function holder(): Promise<{ child: ChildProcessWithoutNullStreams; answer: string }> {
  const child = spawn(process.execPath, [
    compiledModule('platform/event-log/lmdb/testing/lock-holder.ts'),
    folder,
  ]);
  children.push(child);
  const [answer] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, answer };
}

async function killed(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('data folder lock', () => {
  test('a process has one holder at a time, also by another path to the folder', async () => {
    const lock = await acquireDataLock(folder);
    const link = `${folder}-link`;
    await symlink(folder, link);
    try {
      await expect(acquireDataLock(folder)).rejects.toThrow(`${folder} is in use`);
      await expect(acquireDataLock(link)).rejects.toThrow('Stop it first');
    } finally {
      await rm(link);
    }
    await lock.release();
    await (await acquireDataLock(folder)).release();
  });

  test('another process is refused, and gets the lock after the release', async () => {
    const lock = await acquireDataLock(folder);
    expect((await holder()).answer).toMatch(/^refused: the data folder .* is in use/);
    await lock.release();
    expect((await holder()).answer).toBe('held\n');
  });

  test('the lock of a killed holder is free at once, and leaves nothing behind', async () => {
    for (let round = 0; round < 3; round++) {
      const { child, answer } = await holder();
      expect(answer).toBe('held\n');
      await expect(acquireDataLock(folder)).rejects.toThrow('in use');
      await killed(child);
      expect(await readdir(folder)).toHaveLength(1);
    }
    const lock = await acquireDataLock(folder);
    expect(await readdir(folder)).toHaveLength(1);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('of processes that start at once exactly one holds the folder, also over leftovers of killed ones', async () => {
    for (let round = 0; round < 4; round++) {
      const started = await Promise.all(Array.from({ length: 6 }, holder));
      expect(started.filter(({ answer }) => answer === 'held\n')).toHaveLength(1);
      await Promise.all(started.map(({ child }) => killed(child)));
    }
  });

  test('of concurrent claims in one process exactly one holds the folder', async () => {
    for (let round = 0; round < 20; round++) {
      const claims = await Promise.allSettled(Array.from({ length: 8 }, () => acquireDataLock(folder)));
      const held = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
      expect(held).toHaveLength(1);
      await held[0]?.release();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('a suspended holder still holds the lock', async () => {
    const { child } = await holder();
    child.kill('SIGSTOP');
    await expect(acquireDataLock(folder)).rejects.toThrow('in use');
    child.kill('SIGCONT');
    await killed(child);
    await (await acquireDataLock(folder)).release();
  });

  test('a folder whose path is longer than a socket’s may be is locked like any other', async () => {
    folder = path.join(folder, 'a'.repeat(120));
    await mkdir(folder, { mode: 0o700 });
    const lock = await acquireDataLock(folder);
    await expect(acquireDataLock(folder)).rejects.toThrow('in use');
    expect((await holder()).answer).toMatch(/^refused: .* is in use/);
    await lock.release();
  });

  test('a folder open to other users is refused, because a lock there would be useless', async () => {
    await chmod(folder, 0o755);
    await expect(acquireDataLock(folder)).rejects.toThrow(`chmod 700 ${folder}`);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a missing folder has a separate error', async () => {
    await expect(acquireDataLock(path.join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});

describeWithStranger('data folder lock and another user', () => {
  test('another user cannot block the folder by guessing and binding a name', async () => {
    const { dev, ino } = statSync(folder, { bigint: true });
    const name = `cas-${dev.toString(36)}-${ino.toString(36)}`;
    const stranger = startStranger(
      `const net = require('node:net'), fs = require('node:fs');
       const [, name, folder] = process.argv;
       const said = [];
       const tell = (what) => { if (said.push(what) === 3) console.log(JSON.stringify(said)); };
       try { tell(fs.readdirSync(folder)); } catch (error) { tell(error.code); }
       net.createServer().on('error', ({ code }) => tell(code)).listen(folder + '/lock-0', () => tell('bound'));
       net.createServer().on('error', ({ code }) => tell(code)).listen('\\0' + name, () => tell('bound'));`,
      [name, folder],
    );
    try {
      expect(await stranger.told()).toEqual(expect.arrayContaining(['EACCES', 'EACCES']));
      await (await acquireDataLock(folder)).release();
    } finally {
      await stranger.end();
    }
  });
});
