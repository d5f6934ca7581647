import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { isEndless, type RouteContract } from '#schemas/api/contract.ts';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { SAMPLES, type SampleName } from '#schemas/api/openapi/request-examples.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../../helpers/service.ts';
import { FAULTS } from '../world.ts';
import { configurationOf } from './configuration.ts';
import { makePools, type Pools } from './pools.ts';
import { rollBack } from './rolled-back.ts';
import { breakLedger, type StoppedPartitions, stoppedPartitions } from './stopped-partitions.ts';

/** Requests that schemathesis generates from the API description, sent to the running service. */

/** Signups and sign-in attempts are limited per address, so the hooks give each request its own address. */
const ADDRESSES = { TRUSTED_PROXIES: '127.0.0.1', SIGNUP: 'open' };
const MAX_EXAMPLES = 12;
/** Only two packages of a customer are built at a time; further requests are rejected with a retry time. */
const OFTEN_BUSY: readonly string[] = ['createPackage'];
const ENDLESS = ROUTES.filter(isEndless);
/** The requests are the same each time; another SEED gives different ones. */
const SEED = process.env.SEED ?? '20261122';
const LIMIT_MS = 900_000;

const PROGRAM = path.join(packageRoot(), '.cache', 'schemathesis', 'bin', 'schemathesis');
const HOOKS = path.join(packageRoot(), 'test', 'interface', 'schemathesis', 'hooks.py');

let dataDir: string;
let folder: string;
let service: TestService;
let pools: Pools;
let stopped: StoppedPartitions;

beforeAll(async () => {
  dataDir = temporaryDataDir();
  folder = mkdtempSync(path.join(os.tmpdir(), 'cas-schemathesis-'));
  service = await startService(dataDir, { ...FAULTS, ...ADDRESSES });
  pools = await makePools(service);
  await service.stop();
  await breakLedger(dataDir, pools);
  await rollBack(dataDir, pools.rolledBack);
  service = await startService(dataDir, { ...FAULTS, ...ADDRESSES });
  stopped = await stoppedPartitions(service);
}, 180_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
  rmSync(folder, { recursive: true, force: true });
});

const writeInFolder = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

/** The OpenAPI description of all operations, with examples that name existing records. */
function description(): string {
  let text = JSON.stringify(openApi(ROUTES, { keyHeader: 'x-service-key' }));
  for (const [name, sample] of Object.entries(SAMPLES)) {
    const [value] = pools.kept[name as SampleName] ?? [];
    if (value !== undefined) text = text.replaceAll(sample, value);
  }
  return text;
}

/** Runs schemathesis to its end; returns its exit code and output. */
async function run(): Promise<{ readonly code: number | null; readonly output: string }> {
  const { internalSecret } = service;
  const configuration = configurationOf({ pools, stopped, internalSecret, hooks: HOOKS });
  const args = [
    ...['--config-file', writeInFolder('schemathesis.toml', configuration), '--no-color', 'run'],
    writeInFolder('openapi.json', description()),
    ...['--url', service.url, '--checks', 'all', '--mode', 'all', '--continue-on-failure'],
    ...['--max-examples', String(MAX_EXAMPLES), '--seed', SEED, '--generation-database', 'none'],
    // Made-up keys would use up most examples; other tests check that no operation ignores its key.
    ...['--generation-with-security-parameters', 'false'],
    // The keys are discarded after the run and are needed to repeat a request.
    ...['--output-sanitize', 'false'],
    // It would wait for a stream to end.
    ...ENDLESS.flatMap(({ operationId }) => ['--exclude-operation-id', operationId]),
    ...['--request-timeout', '60', '--phases', 'examples,coverage,fuzzing,stateful'],
  ];
  const child = spawn(PROGRAM, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PYTHONHASHSEED: '0',
      // The hooks are in the source tree.
      PYTHONDONTWRITEBYTECODE: '1',
      CAS_POOLS: writeInFolder(
        'pools.json',
        JSON.stringify({ ...pools, accepted: stopped.accepted, url: service.url, internalSecret }),
      ),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

interface Answers {
  /** Requests that passed authentication and the rate limit. */
  readonly letIn: number;
  readonly refused: number;
  readonly successes: number;
}

/** Number of responses by status for an operation, from the service's metrics. */
async function answersOf(route: RouteContract): Promise<Answers> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const counts = { letIn: 0, refused: 0, successes: 0 };
  const line =
    /^cas_http_request_duration_seconds_count\{method="(\w+)",route="([^"]+)",status="(\d+)"\} (\d+)$/gm;
  for (const [, method, pattern, status, count] of metrics.matchAll(line)) {
    if (method !== route.method || pattern !== route.path) continue;
    if (status === '401' || status === '429') counts.refused += Number(count);
    else counts.letIn += Number(count);
    if (status!.startsWith('2')) counts.successes += Number(count);
  }
  return counts;
}

test(
  'every request generated by schemathesis is answered as described',
  async () => {
    const { code, output } = await run();
    process.stderr.write(code === 0 ? output : `${output}\n${service.output()}`);
    expect(code).toBe(0);
  },
  LIMIT_MS,
);

/** Nothing can be generated for an operation without inputs. */
const takesSomething = ({ params, query, body }: RouteContract): boolean =>
  params !== undefined || query !== undefined || body !== undefined;

test.each(ROUTES.filter((route) => !isEndless(route)).map((route) => [route.operationId, route] as const))(
  '%s was called often, admitted, and succeeded',
  async (id, route) => {
    const { letIn, refused, successes } = await answersOf(route);
    process.stderr.write(`${id}: ${letIn} admitted, ${refused} refused, ${successes} successes\n`);
    expect(successes).toBeGreaterThan(0);
    expect(letIn).toBeGreaterThanOrEqual(takesSomething(route) ? MAX_EXAMPLES : 1);
    // If every request were rejected for its key, the report would still look fine.
    expect(refused).toBeLessThan(OFTEN_BUSY.includes(id) ? letIn : letIn / 5 + 10);
  },
);
