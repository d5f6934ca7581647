import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { eventually } from '../helpers/eventually.ts';
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
  look: (url: string, printed: () => string) => Promise<Found>,
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
    const found = await look(message.ready, () => printed);
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

  test('prints a link that signs in to the demo account once, and anybody may sign up there', async () => {
    const post = async (url: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, body: await answer.json() };
    };
    const { found } = await start({}, async (url, printed) => {
      // Pipe and channel are two: the line may come a moment after the message.
      const token = await eventually(
        'the link is printed',
        5_000,
        async () => new RegExp(`: ${url}/ui/#token=([0-9a-f]{64})\\n`).exec(printed())?.[1],
      );
      const account = { email: 'ann@example.org', password: 'seven quiet grey herons', name: 'A' };
      return [
        await post(`${url}/sessions`, { linkToken: token }),
        await post(`${url}/sessions`, { linkToken: token }),
        await post(`${url}/accounts`, { ...account, type: 'INDIVIDUAL' }),
      ];
    });
    expect(found[0]).toMatchObject({ status: 200, body: { customer: { name: 'Demo', plan: 'PRO' } } });
    expect(found[1]).toMatchObject({ status: 401, body: { code: 'INVALID_LINK' } });
    expect(found[2]).toMatchObject({ status: 201, body: { customer: { plan: 'DEV' } } });
  }, 60_000);

  test('prints no key and no link where others reach the service', async () => {
    const { printed, found } = await start({ HOST: '0.0.0.0' }, (url) =>
      statusUnder(url.replace('0.0.0.0', '127.0.0.1'), 'any.example'),
    );
    expect(printed).toContain('Compliance Audit Service at');
    expect(printed).not.toMatch(/cas_[0-9a-f]|#token=/);
    expect(found).toBe(200);
  }, 60_000);
});
