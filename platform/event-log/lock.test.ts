import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compiledModule } from '../runtime/package-root.ts';
import { acquireDataLock } from './lock.ts';

describe('data folder lock', () => {
  let folder: string;
  const children: ChildProcessWithoutNullStreams[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'data-lock-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** Another process that tries to take the lock; resolves with what it printed first. */
  async function holder(): Promise<{ child: ChildProcessWithoutNullStreams; answer: string }> {
    const child = spawn(process.execPath, [compiledModule('platform/event-log/lock-holder.ts'), folder]);
    children.push(child);
    const [answer] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    return { child, answer };
  }

  test('one holder at a time within a process, also by another path to the folder', async () => {
    const lock = await acquireDataLock(folder);
    const link = `${folder}-link`;
    await symlink(folder, link);
    try {
      await expect(acquireDataLock(folder)).rejects.toThrow(`${folder} is in use`);
      await expect(acquireDataLock(link)).rejects.toThrow('Stop that one first');
    } finally {
      await rm(link);
    }
    await lock.release();
    await (await acquireDataLock(folder)).release();
  });

  test('another process is refused, and gets it after the release', async () => {
    const lock = await acquireDataLock(folder);
    expect((await holder()).answer).toMatch(/^refused: the data folder .* is in use/);
    await lock.release();
    expect((await holder()).answer).toBe('held\n');
  });

  test('the kernel frees the lock of a killed holder', async () => {
    const { child, answer } = await holder();
    expect(answer).toBe('held\n');
    await expect(acquireDataLock(folder)).rejects.toThrow('in use');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await acquireDataLock(folder)).release();
  });

  test('a missing folder is an error of its own', async () => {
    await expect(acquireDataLock(path.join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});
