import { parseArgs } from 'node:util';
import { createClient } from '../cli/command/client.ts';
import { print, printTable } from '../cli/command/output.ts';
import { type LoadResult, openLoop } from './load/open-loop.ts';
import { postRequest, type Shot } from './load/raw-http.ts';
import type { Target } from './load/triplets.ts';
import { variedTexts } from './load/varied-texts.ts';
import { type EmbeddedService, measureCost, startEmbeddedService } from './service/embedded-service.ts';

/**
 * Scans of 2 KB over HTTP against the embedded set-up, open loop, the load generator on the same machine:
 *
 *   npm run bench:scan -- [--seconds 15] [--runs 3] [--rate 500]
 *
 * The target: 99th percentile below 10 ms. Cost is CPU time of the service per scan.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    runs: { type: 'string', default: '3' },
    rate: { type: 'string', default: '500' },
  },
});
const SECONDS = Number(values.seconds);
const RUNS = Number(values.runs);
const RATE = Number(values.rate);
const CUSTOMERS = 8;
const TEXT_BYTES = 2_048;
const WARM_UP_SECONDS = 5;
const TEXTS_PER_CUSTOMER = 500;
const SEED = 16;

const WORDS = Array.from({ length: 25 }, (_, number) => `Project Falcon ${number}`);
const PATTERNS = Array.from({ length: 25 }, (_, number) => `/\\b[A-Z]{2}${number}-\\d{3,6}\\b/i`);
const SANDBOXES: Readonly<Record<string, object>> = {
  'no-rules': {},
  'few-rules': { customRules: [...WORDS.slice(0, 3), ...PATTERNS.slice(0, 2)], redactionStrategy: 'HASHED' },
  'all-rules': { customRules: [...WORDS, ...PATTERNS] },
};

const finds = 'Mail ann.lee@example.org or call 415-555-0123 about card 4111 1111 1111 1111. ';
const TEXTS = {
  'one prompt in four with finds': (number: number) => (number % 4 === 0 ? finds : ''),
  'every prompt with finds': () => finds,
};

const scanRequest = ({ url }: Target, key: string, sandbox: string, userInput: string): Shot =>
  postRequest(
    url,
    '/guardian/scan',
    { 'x-service-key': key },
    Buffer.from(JSON.stringify({ sandbox, provider: 'openai', model: 'gpt-5', userInput })),
  );

/** Requests of one customer after the other, all prepared. */
function scanShots(
  target: Target,
  sandbox: string,
  begin: (number: number) => string,
): (number: number) => Shot {
  const texts = variedTexts(SEED);
  const prepared = Array.from({ length: TEXTS_PER_CUSTOMER * target.keys.length }, (_, number) => {
    const begun = begin(number);
    const text = begun + texts.text(TEXT_BYTES - begun.length);
    return scanRequest(target, target.keys[number % target.keys.length]!, sandbox, text);
  });
  return (number) => prepared[number % prepared.length]!;
}

async function makeSandboxes({ url, keys }: Target): Promise<void> {
  for (const key of keys) {
    const client = createClient(url, { 'x-service-key': key });
    for (const [slug, fields] of Object.entries(SANDBOXES)) {
      const sandbox = { name: slug, slug, sandboxType: 'FULL_SPECTRUM', ...fields };
      await client.request('POST', '/sandboxes', sandbox);
    }
  }
}

interface Run {
  readonly load: LoadResult;
  /** CPU time of the thread that answers, per scan. */
  readonly mainUs: number;
}

async function median(service: EmbeddedService, shots: (number: number) => Shot): Promise<Run> {
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const cost = measureCost(service.pid);
    const load = await openLoop(service.target.url, RATE, SECONDS, shots);
    runs.push({ load, mainUs: (cost().main / Math.max(1, load.ok)) * 1e6 });
  }
  return runs.toSorted((one, other) => one.load.p99Ms - other.load.p99Ms)[Math.floor((RUNS - 1) / 2)]!;
}

/** Scans of 2 KB while another client sends prompts of 250 KB full of values, one a second. */
async function besideLongOnes(service: EmbeddedService): Promise<Run> {
  const { target } = service;
  const long = scanRequest(target, target.keys[0]!, 'no-rules', 'a@b.co '.repeat(35_000));
  const others = openLoop(target.url, 1, RUNS * SECONDS, () => long);
  const result = await median(
    service,
    scanShots(target, 'no-rules', () => finds),
  );
  await others;
  return result;
}

const cells = (sandbox: string, texts: string, { load, mainUs }: Run): string[] => [
  sandbox,
  texts,
  load.perSecond.toFixed(0),
  load.p50Ms.toFixed(2),
  load.p99Ms.toFixed(2),
  load.maxMs.toFixed(0),
  load.errors.size === 0 ? '0' : JSON.stringify(Object.fromEntries(load.errors)),
  mainUs.toFixed(0),
];

const service = await startEmbeddedService(CUSTOMERS);
try {
  await makeSandboxes(service.target);
  print('warming up ...');
  for (const sandbox of Object.keys(SANDBOXES)) {
    await openLoop(
      service.target.url,
      RATE,
      WARM_UP_SECONDS,
      scanShots(service.target, sandbox, () => finds),
    );
  }
  const rows: string[][] = [];
  for (const sandbox of Object.keys(SANDBOXES)) {
    for (const [name, begin] of Object.entries(TEXTS)) {
      print(`${sandbox}, ${name}: ${RATE}/s for ${SECONDS} s, ${RUNS} times ...`);
      rows.push(cells(sandbox, name, await median(service, scanShots(service.target, sandbox, begin))));
    }
  }
  print('beside prompts of 250 KB, one a second ...');
  rows.push(cells('no-rules', 'every prompt with finds, beside long ones', await besideLongOnes(service)));
  print(`median of ${RUNS} runs by p99`);
  printTable(
    ['sandbox', 'texts', 'scans per s', 'p50 ms', 'p99 ms', 'max ms', 'errors', 'CPU us per scan'],
    rows,
  );
} finally {
  await service.stop();
}
