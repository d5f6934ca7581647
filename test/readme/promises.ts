import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from '#jest';
import { eventually } from '../helpers/eventually.ts';
import type { Reader } from './reader.ts';

/** The two ways in README to run the service without Docker. */
export type Way = 'embedded' | 'distributed';

/** A command of README, identified by its beginning, with its expected result. */
export interface Promised {
  readonly begins: string;
  readonly on: readonly Way[];
  /** Typed last, regardless of its position in README. */
  readonly last?: true;
  /** Why this test does not type it. */
  readonly notRun?: string;
  readonly play?: (reader: Reader, command: string) => Promise<void>;
}

const BOTH: readonly Way[] = ['embedded', 'distributed'];
const LIMIT_MS = 60_000;
const EXAMPLES = 259;

/** Extracts a value from the output. */
function printed(output: string, pattern: RegExp): string {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`nothing like ${pattern} was printed:\n${output}`);
  return found;
}

/** Checks that the printed link signs in to the demo workspace. */
async function useLink(reader: Reader, output: string): Promise<void> {
  const linkToken = printed(output, /\/ui\/#token=([0-9a-f]{64})/);
  const signIn = `-H 'content-type: application/json' -d '{"linkToken":"${linkToken}"}'`;
  expect(await reader.call(`curl -s ${reader.url}/sessions ${signIn}`)).toMatchObject({
    status: 200,
    body: { customer: { name: 'Demo' } },
  });
}

/** `npm start`: checks the printed dashboard, API and key. */
async function firstStart(reader: Reader, command: string): Promise<void> {
  const output = await reader.open(command, /Ctrl-C to stop/);
  expect(output).toContain(` API         ${reader.url}\n`);
  reader.values.key = printed(output, /API key {5}(cas_[0-9a-f]{48}) /);
  await useLink(reader, output);
}

async function demo(reader: Reader, command: string): Promise<void> {
  const output = await reader.type(command);
  expect(output).toContain(`Using the service at ${reader.url}.`);
  expect(output).toContain('Everything added up.');
  expect(output).not.toContain('NO ');
  reader.values.key ??= printed(output, /^API key +(cas_[0-9a-f]{48})$/m);
}

/** Runs a role in its own terminal; `copies` of it, because README says that any number can share the work. */
const role =
  (name: string, copies: number) =>
  async (reader: Reader, command: string): Promise<void> => {
    const terminals = new Set<string>();
    for (let copy = 0; copy < copies; copy += 1) {
      const output = await reader.open(command, /"msg":"ready"/);
      const line = JSON.parse(output.split('\n').find((text) => text.includes('"msg":"ready"'))!);
      expect(line).toMatchObject({ role: name });
      await eventually('the role has joined its group', LIMIT_MS, async () =>
        (await fetch(line.health)).ok ? true : undefined,
      );
      expect(await (await fetch(line.metrics)).text()).toContain('# TYPE');
      terminals.add(line.url);
    }
    expect(terminals.size).toBe(copies);
    if (name === 'api') expect([...terminals]).toEqual([reader.url]);
  };

async function ingestFile(reader: Reader, command: string): Promise<void> {
  expect(await reader.type(command)).toContain(`${EXAMPLES} accepted, 0 accepted before, 0 rejected.`);
  expect(await reader.type(command)).toContain(`0 accepted, ${EXAMPLES} accepted before, 0 rejected.`);
}

async function exportFile(reader: Reader, command: string): Promise<void> {
  const output = await reader.type(command);
  expect(output).toMatch(/signals\.csv: [1-9][\d,]* signals, .*sha-256/);
  expect(statSync(path.join(reader.folder, 'signals.csv')).size).toBeGreaterThan(1_000);
}

async function ingest(reader: Reader, command: string): Promise<void> {
  const { status, body } = await reader.call(command);
  expect(status).toBe(202);
  reader.values.auditId = body.auditId;
}

async function listSignals(reader: Reader, command: string): Promise<void> {
  const { status, body } = await reader.call(command);
  const levels = new Set(body.data.map((signal: { riskLevel: string }) => signal.riskLevel));
  expect([status, [...levels]]).toEqual([200, ['LOW']]);
}

const keepKey = (reader: Reader, command: string): Promise<void> => reader.typeEverywhere(command);

/** Every command of the pages in order. A command missing here fails the test: add its expected result. */
export const PROMISES: readonly Promised[] = [
  {
    begins: 'npm ci',
    on: ['embedded'],
    play: async (reader, command) => {
      await reader.type(command);
    },
  },
  { begins: 'npm start', on: ['embedded'], play: firstStart },
  { begins: 'npm run demo', on: ['embedded'], play: demo },
  { begins: 'npm run demo -- tour', on: ['embedded'], play: demo },
  {
    begins: 'npm run cas -- login',
    on: ['embedded'],
    play: async (reader, command) => useLink(reader, await reader.type(command)),
  },
  {
    begins: 'npm test',
    on: ['embedded'],
    // The build runs all of them as a separate step; this test shows that they start in a clean copy.
    play: async (reader, command) => {
      expect(readFileSync(path.join(reader.folder, '.ci/run'), 'utf8')).toMatch(/^jest \S+ test$/m);
      const output = await reader.type(`${command} -- core/plans`);
      expect(output).toMatch(/Tests: +[1-9]\d* passed, \d+ total/);
    },
  },
  { begins: 'export KEY=cas_...', on: ['embedded'], play: keepKey },
  { begins: 'curl -s http://127.0.0.1:8080/audit/ingest', on: ['embedded'], play: ingest },
  {
    begins: 'curl -s "http://127.0.0.1:8080/dashboard/signals?riskLevel=LOW"',
    on: ['embedded'],
    play: listSignals,
  },
  {
    begins: 'docker compose up --wait',
    on: [],
    notRun: 'needs a Docker engine; check:deploy and deploy/compose.test.ts read the files',
  },
  {
    begins: 'npm run stack -- start',
    on: ['distributed'],
    play: async (reader, command) => {
      // Same as the first command, unless the embedded way was tested before.
      if (!existsSync(path.join(reader.folder, 'node_modules'))) await reader.type('npm ci');
      expect(await reader.type(command)).toContain('all servers answer');
    },
  },
  { begins: 'eval "$(', on: ['distributed'], play: (reader, command) => reader.typeEverywhere(command) },
  { begins: 'alias cas=', on: ['distributed'], play: (reader, command) => reader.typeEverywhere(command) },
  {
    begins: 'cas migrate',
    on: ['distributed'],
    play: async (reader, command) => {
      expect(await reader.type(command)).toContain('are at log epoch 1');
    },
  },
  { begins: 'cas api', on: ['distributed'], play: role('api', 1) },
  { begins: 'cas analyzer', on: ['distributed'], play: role('analyzer', 2) },
  { begins: 'cas sink', on: ['distributed'], play: role('sink', 2) },
  { begins: 'cas correlator', on: ['distributed'], play: role('correlator', 1) },
  { begins: 'npm run demo', on: ['distributed'], play: demo },
  {
    begins: 'npm run stack -- stop',
    on: ['distributed'],
    last: true,
    play: async (reader, command) => {
      const output = await reader.type(command);
      expect(output.match(/ stopped after /g)).toHaveLength(4);
    },
  },
  // The stream runs in its own terminal.
  { begins: 'export KEY=cas_...', on: BOTH, play: keepKey },
  { begins: 'curl -s http://127.0.0.1:8080/audit/ingest', on: BOTH, play: ingest },
  {
    begins: 'curl -s "http://127.0.0.1:8080/audits/<auditId>?wait=5"',
    on: BOTH,
    play: async (reader, command) => {
      const { status, body } = await reader.call(command);
      expect([status, body.status]).toEqual([200, 'COMPLETED']);
      const steps = body.steps.map((step: { name: string }) => step.name);
      expect(steps).toEqual(['ACCEPTED', 'ANALYZING', 'STORED']);
    },
  },
  { begins: 'curl -s "http://127.0.0.1:8080/dashboard/signals?riskLevel=LOW"', on: BOTH, play: listSignals },
  {
    begins: 'curl -s http://127.0.0.1:8080/evidence/hash-chain/verify',
    on: BOTH,
    play: async (reader, command) => {
      const { status, body } = await reader.call(command);
      expect([status, body.data]).toMatchObject([200, { status: 'VALID', errors: [] }]);
      expect(body.data.treeSize).toBeGreaterThan(4);
      expect(body.data.checkedEntries).toBe(body.data.treeSize);
    },
  },
  {
    begins: 'curl -s http://127.0.0.1:8080/guardian/scan',
    on: BOTH,
    play: async (reader, command) => {
      const { status, body } = await reader.call(command);
      expect([status, body.action, body.cleanPrompt]).toEqual([
        200,
        'REDACT',
        'Please answer [EMAIL_REDACTED]',
      ]);
    },
  },
  {
    begins: 'curl -sN http://127.0.0.1:8080/dashboard/stream',
    on: BOTH,
    play: async (reader, command) => {
      const output = await reader.open(command, /^event: stats$/m);
      expect(output).toMatch(/^event: ready$/m);
    },
  },
  {
    begins: 'export CAS_API_KEY=$KEY',
    on: BOTH,
    play: async (reader, command) => {
      expect(await reader.type(command)).toBe('');
    },
  },
  { begins: 'npm run -s cas -- ingest examples/triplets.ndjson', on: BOTH, play: ingestFile },
  { begins: 'npm run -s cas -- export --format csv -o signals.csv', on: BOTH, play: exportFile },
  {
    begins: 'npm run -s cas -- export --every day',
    on: BOTH,
    play: async (reader, command) => {
      expect(await reader.type(command)).toMatch(
        /exports: signals-\d{4}-\d\d-\d\d\.csv, [\d,]+ signals?, sha-256=/,
      );
    },
  },
  {
    begins: 'npm run -s cas -- dead-letters list',
    on: BOTH,
    play: async (reader, command) => {
      expect(await reader.type(command)).toContain('No failed audits.');
    },
  },
  {
    begins: 'npm run -s cas -- correlate',
    on: BOTH,
    play: async (reader, command) => {
      expect(await reader.type(command)).toMatch(
        /^Searched [1-9][\d,]* signals, .* UTC\.\nRun \S+\n\n(?:No patterns found\.|\d+ patterns? from)/m,
      );
    },
  },
  {
    begins: 'npm run -s cas -- accounts create',
    on: BOTH,
    play: async (reader, command) => {
      const customer = JSON.parse(await reader.type(command));
      expect(customer).toMatchObject({ name: 'Acme', plan: 'PRO' });
      reader.values.customerId = customer.id;
    },
  },
  {
    begins: 'npm run -s cas -- keys create <customer-id>',
    on: BOTH,
    play: async (reader, command) => {
      reader.values.key = printed(await reader.type(command), /^(cas_[0-9a-f]{48})$/m);
    },
  },
  {
    begins: 'export KEY=cas_...',
    on: BOTH,
    play: async (reader, command) => {
      expect(await reader.type(command)).toBe('');
    },
  },
  {
    begins: 'curl -s http://127.0.0.1:8080/sandboxes',
    on: BOTH,
    play: async (reader, command) => {
      const { status, body } = await reader.call(command);
      expect([status, body.slug]).toEqual([201, 'customer-support']);
    },
  },
  {
    begins: 'npm run -s cas -- --help',
    on: BOTH,
    play: async (reader, command) => {
      expect(await reader.type(command)).toContain('Usage: cas');
    },
  },
];
