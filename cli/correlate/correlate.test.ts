import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { RUN_ID, runningRun, sampleRun } from './testing/sample-run.ts';

/** The compiled command against a service with scripted responses. */

const KEY = `cas_${'a'.repeat(48)}`;
const LIMIT_MS = 30_000;

interface Heard {
  readonly request: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let url: string;
let heard: Heard[];
let answer: (request: string) => readonly [status: number, body: object, headers?: Record<string, string>];
/** Resolves when a request with this prefix is received. */
let onHeard: (request: string) => void;

beforeEach(async () => {
  heard = [];
  onHeard = () => undefined;
  server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const request = `${incoming.method} ${incoming.url}`;
    heard.push({ request, headers: incoming.headers, body: Buffer.concat(chunks).toString() });
    const [status, body, headers = {}] = answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
    onHeard(request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function start(args: readonly string[], environment: Record<string, string> = { CAS_API_KEY: KEY }) {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'correlate', '--url', url, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, DATA_DIR: os.tmpdir(), ...environment },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return { child, ended };
}
const run = (...args: string[]) => start(args).ended;
const shown = (data: ShownCorrelationRun) => [200, { success: true, data }] as const;

describe('a completed run', () => {
  beforeEach(() => {
    answer = (request) => (request.startsWith('POST') ? shown(runningRun(0)) : shown(sampleRun()));
  });

  test(
    'is requested with the options and the key, followed, and printed; nothing else is',
    async () => {
      const period = ['--from', '2026-11-01', '--to', '2026-11-30', '--sandbox', 'support'];
      const numbers = ['--window-minutes', '15', '--min-signals', '5'];
      const dimensions = ['--dimension', 'model', '--dimension', 'violation', 'model'];
      const { code, out, err } = await run(...period, ...numbers, ...dimensions);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('Searched 1,234 signals, 2026-11-01 00:00 to 2026-11-30 23:59 UTC.');
      expect(out).toContain(`Run ${RUN_ID}`);
      expect(out).toContain('BURST');
      expect(heard.map(({ request }) => request)).toEqual([
        'POST /evidence/correlations/detect',
        `GET /evidence/correlations/${RUN_ID}`,
      ]);
      const [{ headers, body }] = heard as [Heard];
      expect(headers).toMatchObject({
        'x-service-key': KEY,
        'idempotency-key': expect.stringMatching(/^[\w-]{36}$/),
      });
      expect(JSON.parse(body)).toEqual({
        ...{ startDate: '2026-11-01', endDate: '2026-11-30', sandboxSlug: 'support' },
        ...{ windowMinutes: 15, minSignals: 5, dimensions: ['model', 'violation'] },
      });
    },
    LIMIT_MS,
  );

  test(
    'prints only JSON to standard output when requested',
    async () => {
      const { code, out, err } = await run('--json');
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toEqual(sampleRun());
      expect(JSON.parse(heard[0]!.body)).toEqual({});
    },
    LIMIT_MS,
  );

  test(
    'is only followed when it was started before',
    async () => {
      const { code, out } = await run('--run', RUN_ID);
      expect([code, heard.map(({ request }) => request)]).toEqual([
        0,
        [`GET /evidence/correlations/${RUN_ID}`],
      ]);
      expect(out).toContain('BURST');
    },
    LIMIT_MS,
  );
});

test(
  'a failed run says why, with exit code 1, also with JSON output',
  async () => {
    const failed = sampleRun({ status: 'FAILED', failure: 'it needed too much memory', patterns: null });
    answer = () => shown(failed);
    const { code, out, err } = await run();
    expect([code, out, err]).toEqual([1, '', `cas: Run ${RUN_ID} failed: it needed too much memory\n`]);
    const json = await run('--json');
    expect([json.code, JSON.parse(json.out)]).toEqual([1, failed]);
  },
  LIMIT_MS,
);

test(
  'retries a busy service when it asks for that',
  async () => {
    let refusals = 1;
    answer = () => {
      refusals -= 1;
      if (refusals < 0) return shown(sampleRun());
      return [429, { code: 'TOO_MANY_AT_ONCE', message: 'wait' }, { 'retry-after': '0' }];
    };
    expect((await run()).code).toBe(0);
    expect(new Set(heard.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(heard).toHaveLength(2);
  },
  LIMIT_MS,
);

test(
  "reports a refusal in the service's words, with exit code 1",
  async () => {
    answer = () => [400, { code: 'INVALID_REQUEST', message: 'startDate: the range starts after its end' }];
    const { code, out, err } = await run('--from', '2027-01-01');
    expect([code, out, err]).toEqual([
      1,
      '',
      'cas: startDate: the range starts after its end (400 INVALID_REQUEST)\n',
    ]);
    const unknown = await start([], {}).ended;
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('cas: No API key. Set CAS_API_KEY'),
    ]);
  },
  LIMIT_MS,
);

test.each([
  [['--window-minutes', 'soon'], 'Give a whole number.'],
  [['--dimension', 'moon'], 'Allowed choices are sandbox, model, provider, violation'],
  [['--run', RUN_ID, '--min-signals', '5'], '--run cannot be combined with --min-signals.'],
  [['--form', '2026-11-01'], 'Unknown option --form. Did you mean --from?'],
  [['--run', 'unknown'], 'Invalid --run "unknown". Give an ID'],
])(
  'a wrong command line (%j) prints one line, with exit code 2',
  async (args, said) => {
    const { code, out, err } = await run(...args);
    expect([code, out, heard]).toEqual([2, '', []]);
    expect(err).toContain(said);
    expect(err).toMatch(/^cas: .*\(cas correlate --help\)\n$/);
  },
  LIMIT_MS,
);

test(
  'the help has examples and exit codes',
  async () => {
    const { code, out } = await run('--help');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('cas correlate --from 2026-11-01 --to 2026-11-30'),
    ]);
    expect(out).toContain('130  stopped by Ctrl-C');
  },
  LIMIT_MS,
);

describe('Ctrl-C', () => {
  test(
    'leaves the run in progress, and says how to follow it, with exit code 130',
    async () => {
      answer = () => shown(runningRun(0.5));
      const { child, ended } = start([]);
      onHeard = (request) => {
        if (request.startsWith('GET')) child.kill('SIGINT');
      };
      const { code, out, err } = await ended;
      expect([code, out]).toEqual([130, '']);
      expect(err).toBe(
        `cas: Run ${RUN_ID} continues. To see its result:\n  cas correlate --run ${RUN_ID} --url ${url}\n`,
      );
    },
    LIMIT_MS,
  );

  test(
    'says so when there is no run yet',
    async () => {
      answer = () => [429, { code: 'TOO_MANY_AT_ONCE', message: 'wait' }, { 'retry-after': '60' }];
      const { child, ended } = start([]);
      onHeard = () => child.kill('SIGINT');
      const { code, err } = await ended;
      expect([code, err]).toEqual([130, expect.stringContaining('Stopped before the service answered')]);
    },
    LIMIT_MS,
  );
});
