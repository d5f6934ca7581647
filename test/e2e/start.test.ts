import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { compiledModule, packageRoot } from '#platform/config/package-root.ts';
import { runCas } from '../helpers/cas-process.ts';
import { eventually } from '../helpers/eventually.ts';
import { openPseudoTerminal } from '../helpers/pseudo-terminal.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/** `npm start` as a user sees it. */

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryDataDir();
});
afterEach(() => removeDataDir(dataDir));

const environmentOf = (more: Record<string, string>): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  PORT: '0',
  DETECTION_WARM_UP: 'false',
  ...more,
});
const LINK = /(http:\S+)\/ui\/#token=([0-9a-f]{64})/;
const KEY = /cas_[0-9a-f]{48}/;

interface Printed {
  readonly out: string;
  readonly err: string;
}

/** The output of a start without a terminal until it is ready, and the result of `read` at that time. */
async function start<Found>(
  environment: Record<string, string>,
  read: (url: string, block: string) => Promise<Found>,
): Promise<Printed & { found: Found }> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environmentOf(environment),
  });
  const printed = collect(child);
  const closed = once(child, 'close');
  try {
    const [message] = (await Promise.race([once(child, 'message'), closed])) as [{ ready?: string }];
    if (typeof message?.ready !== 'string') throw new Error(`the service did not start: ${printed().err}`);
    // The pipe and the IPC channel are separate: the block may arrive shortly after the message.
    const block = await eventually('the block is printed', 5_000, async () =>
      printed().out.includes('Ctrl-C to stop') ? printed().out : undefined,
    );
    const found = await read(message.ready, block);
    child.kill('SIGTERM');
    await closed;
    return { ...printed(), found };
  } finally {
    child.kill('SIGKILL');
  }
}

function collect(child: ChildProcess): () => Printed {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => (out += String(chunk)));
  child.stderr?.on('data', (chunk) => (err += String(chunk)));
  return () => ({ out, err });
}

const statusUnder = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`${url}/metrics`, { headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });

const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const sent = { 'content-type': 'application/json', ...headers };
  const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json(), cookie: answer.headers.get('set-cookie') };
};
const signIn = (url: string, text: string) => post(`${url}/sessions`, { linkToken: LINK.exec(text)?.[2] });

describe('a start on an empty data folder', () => {
  test('prints a demo key on loopback, and rejects unknown host names there', async () => {
    const environment = { ALLOWED_HOSTS: 'audit.example.org' };
    const { out, found } = await start(environment, async (url) => [
      await statusUnder(url, 'evil.example'),
      await statusUnder(url, 'audit.example.org'),
      await statusUnder(url, 'localhost'),
    ]);
    expect(out).toMatch(/API key {5}cas_[0-9a-f]{48} {2}\(shown only once/);
    expect(found).toEqual([421, 200, 200]);
  }, 60_000);

  test('prints a link that signs in to the demo account once, and allows signup', async () => {
    const { found } = await start({}, async (url, block) => {
      expect(LINK.exec(block)?.[1]).toBe(url);
      const account = { email: 'ann@example.org', password: 'seven quiet grey herons', name: 'A' };
      return [
        await signIn(url, block),
        await signIn(url, block),
        await post(`${url}/accounts`, { ...account, type: 'INDIVIDUAL' }),
      ];
    });
    expect(found[0]).toMatchObject({ status: 200, body: { customer: { name: 'Demo', plan: 'PRO' } } });
    expect(found[1]).toMatchObject({
      status: 401,
      body: { code: 'INVALID_LINK', message: expect.stringContaining('"npm run cas -- login"') },
    });
    expect(found[2]).toMatchObject({ status: 201, body: { customer: { plan: 'DEV' } } });
  }, 60_000);

  test('prints no key and no link when others can reach the service', async () => {
    const { out, found } = await start({ HOST: '0.0.0.0' }, (url) =>
      statusUnder(url.replace('0.0.0.0', '127.0.0.1'), 'any.example'),
    );
    expect(out).toMatch(/Dashboard {3}http:\/\/127\.0\.0\.1:\d+\/ui\/\n/);
    expect(out).not.toMatch(/cas_[0-9a-f]|#token=/);
    expect(found).toBe(200);
  }, 60_000);
});

describe('links after the first start', () => {
  test('are printed by every start and by cas login, each valid once, without a new key', async () => {
    const first = await start({}, async (_url, block) => block);
    const { found } = await start({}, async (url, block) => {
      const login = await runCas(['login'], { DATA_DIR: dataDir, PORT: new URL(url).port });
      expect([login.code, login.output]).toEqual([0, expect.stringContaining(`${url}/ui/#token=`)]);
      const answers = [await signIn(url, first.found), await signIn(url, block)];
      return { block, answers: [...answers, await signIn(url, login.output)] };
    });
    expect(found.answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(found.block).not.toMatch(KEY);
  }, 120_000);

  test('cas login names the missing folder or setting', async () => {
    const login = await runCas(['login'], { DATA_DIR: path.join(dataDir, 'other'), PORT: '1' });
    expect([login.code, login.output]).toEqual([
      1,
      expect.stringMatching(/^cas: No internal secret: .*DATA_DIR/),
    ]);
  });
});

describe('on a terminal', () => {
  let terminal: ReturnType<typeof openPseudoTerminal>;
  afterEach(() => terminal.close());

  test('a start shows its steps and one summary as text: no JSON, no routine logs', async () => {
    terminal = openPseudoTerminal(
      [process.execPath, path.join(packageRoot(), 'cli/launch.mjs'), 'start'],
      environmentOf({}),
    );
    const shown = await terminal.until(/Ctrl-C to stop/);
    expect(shown).toMatch(
      /^\r?\n {2}Compliance Audit Service \S+ {3}storage ready {3}pipeline ready\r\n\r\n {2}➜ Dash/,
    );
    const { status } = await signIn(LINK.exec(shown)![1]!, shown);
    expect(status).toBe(200);
    terminal.type('\u0003');
    const all = await terminal.ended;
    expect(all).toMatch(/\n {2}Shutting down… \(Ctrl-C again to force\)\r\n$/);
    expect(all).not.toMatch(/[{}]|info |warn /);
  }, 60_000);

  test('logs are text at LOG_LEVEL, and JSON with LOG_FORMAT=json', async () => {
    const run = async (environment: Record<string, string>): Promise<string> => {
      const command = [process.execPath, compiledModule('cli/main.ts'), 'start'];
      terminal = openPseudoTerminal(command, environmentOf({ LOG_LEVEL: 'info', ...environment }));
      await terminal.until(/Ctrl-C to stop/);
      terminal.type('\u0003');
      return terminal.ended;
    };
    const text = await run({});
    expect(text).toMatch(/\r\n\d\d:\d\d:\d\d info {2}\S/);
    expect(text).not.toContain('{"level"');
    expect(await run({ LOG_FORMAT: 'json' })).toMatch(/\r\n\{"level":30,"time":/);
  }, 120_000);
});

test('without a terminal logs are JSON on standard error, and standard output has only the summary', async () => {
  const { out, err } = await start({ LOG_LEVEL: 'info' }, async () => undefined);
  const lines = err.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
  expect(out).not.toMatch(/[{}]/);
  expect(out).not.toContain('\u001b');
}, 60_000);

describe('a failed start says why in one line', () => {
  const refused = async (environment: Record<string, string>) => {
    const { code, output } = await runCas(['start'], { DATA_DIR: dataDir, PORT: '0', ...environment });
    return [code, output];
  };

  test('a port in use, before anything is created', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    rmSync(dataDir, { recursive: true });
    const message = `cas: port ${port} of 127.0.0.1 is in use; stop the program that listens there or set PORT\n`;
    expect(await refused({ PORT: String(port) })).toEqual([1, message]);
    expect(existsSync(dataDir)).toBe(false);
    other.close();
  });

  test.each([
    ['a file', () => path.join(packageRoot(), 'package.json'), 'is a file'],
    ['below a file', () => path.join(packageRoot(), 'package.json', 'data'), 'is inside a file'],
    ['where no folder can be made', () => '/proc/nope', 'cannot create or write /proc/nope (ENOENT)'],
  ])('a data folder that is %s', async (_what, folder, reason) => {
    const [code, output] = await refused({ DATA_DIR: folder() });
    expect([code, String(output).split('\n').length]).toEqual([1, 2]);
    expect(output).toMatch(/^cas: DATA_DIR: /);
    expect(output).toContain(`${reason}; set DATA_DIR to a folder that this user can write`);
  });

  test.each(['14.21.3', '18.20.8', '20.18.1', '22.0.0', '24.0.0'])('Node %s', async (version) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    const child = spawn(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(pretend)}`,
        'cli/launch.mjs',
        'config',
        '--check',
      ],
      { cwd: packageRoot(), stdio: ['ignore', 'pipe', 'pipe'], env: environmentOf({}) },
    );
    const printed = collect(child);
    const [code] = await once(child, 'close');
    const isGood = version === '24.0.0';
    expect([code, printed().err]).toEqual([
      isGood ? 0 : 1,
      isGood ? '' : `cas: Node 20 (20.19 or newer) or Node 24 is needed; this is ${version}.\n`,
    ]);
  });

  test('npm refuses to install on an unsupported Node', () => {
    expect(readFileSync(path.join(packageRoot(), '.npmrc'), 'utf8')).toMatch(/^engine-strict=true$/m);
  });
});
