import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compiledModule } from '#platform/config/package-root.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/** `npm start` as a person sees it. */

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryDataDir();
});
afterEach(() => removeDataDir(dataDir));

/** What a start prints until it is ready, and what `look` returns then. */
async function start<Found>(
  environment: Record<string, string>,
  look: (url: string) => Promise<Found>,
): Promise<{ printed: string; found: Found }> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', ...environment },
  });
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
  });
  const closed = once(child, 'close');
  try {
    const [message] = (await Promise.race([once(child, 'message'), closed])) as [{ ready?: string }];
    if (typeof message?.ready !== 'string') throw new Error('the service did not start');
    const found = await look(message.ready);
    child.kill('SIGTERM');
    await closed;
    return { printed, found };
  } finally {
    child.kill('SIGKILL');
  }
}

const statusUnder = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`${url}/metrics`, { headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });

describe('a start on an empty data folder', () => {
  test('prints a demo key on loopback, and answers no page of another site there', async () => {
    const environment = { ALLOWED_HOSTS: 'audit.example.org' };
    const { printed, found } = await start(environment, async (url) => [
      await statusUnder(url, 'evil.example'),
      await statusUnder(url, 'audit.example.org'),
      await statusUnder(url, 'localhost'),
    ]);
    expect(printed).toMatch(/Its API key, shown this once: cas_[0-9a-f]{48}/);
    expect(found).toEqual([421, 200, 200]);
  }, 60_000);

  test('prints no key where others reach the service', async () => {
    const { printed, found } = await start({ HOST: '0.0.0.0' }, (url) =>
      statusUnder(url.replace('0.0.0.0', '127.0.0.1'), 'any.example'),
    );
    expect(printed).toContain('Compliance Audit Service at');
    expect(printed).not.toMatch(/cas_[0-9a-f]/);
    expect(found).toBe(200);
  }, 60_000);
});
