import { createClient } from '../../cli/command/client.ts';
import { print, printTable } from '../../cli/command/output.ts';
import { type LoadResult, openLoop } from '../load/open-loop.ts';
import { postRequest, type Shot } from '../load/raw-http.ts';
import type { Target } from '../load/triplets.ts';
import { variedTexts } from '../load/varied-texts.ts';
import { type EmbeddedService, measureCost, startEmbeddedService } from '../service/embedded-service.ts';

interface Options {
  readonly rate: number;
  readonly seconds: number;
  readonly runs: number;
}

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

const withValues = 'Mail ann.lee@example.org or call 415-555-0123 about card 4111 1111 1111 1111. ';
const TEXTS = {
  'one in four with detections': (number: number) => (number % 4 === 0 ? withValues : ''),
  'all with detections': () => withValues,
};

const scanRequest = ({ url }: Target, key: string, sandbox: string, userInput: string): Shot =>
  postRequest(
    url,
    '/guardian/scan',
    { 'x-service-key': key },
    Buffer.from(JSON.stringify({ sandbox, provider: 'openai', model: 'gpt-5', userInput })),
  );

/** Prepared requests, alternating between customers. */
function scanShots(
  target: Target,
  sandbox: string,
  startOf: (number: number) => string,
): (number: number) => Shot {
  const texts = variedTexts(SEED);
  const prepared = Array.from({ length: TEXTS_PER_CUSTOMER * target.keys.length }, (_, number) => {
    const startText = startOf(number);
    const text = startText + texts.text(TEXT_BYTES - startText.length);
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
  /** CPU time of the main thread per scan. */
  readonly mainUs: number;
}

async function median(
  service: EmbeddedService,
  shots: (number: number) => Shot,
  { rate, seconds, runs: count }: Options,
): Promise<Run> {
  const runs: Run[] = [];
  for (let run = 0; run < count; run += 1) {
    const cost = measureCost(service.pid);
    const load = await openLoop(service.target.url, rate, seconds, shots);
    runs.push({ load, mainUs: (cost().main / Math.max(1, load.ok)) * 1e6 });
  }
  return runs.toSorted((one, other) => one.load.p99Ms - other.load.p99Ms)[Math.floor((count - 1) / 2)]!;
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

const HEAD = ['sandbox', 'texts', 'scans per s', 'p50 ms', 'p99 ms', 'max ms', 'errors', 'CPU us per scan'];

/** Open loop. Reports the run with the median 99th percentile, which must be below 10 ms. */
export async function scanOverHttp(options: Options): Promise<void> {
  const service = await startEmbeddedService(CUSTOMERS);
  const { target } = service;
  try {
    await makeSandboxes(target);
    print('warming up ...');
    for (const sandbox of Object.keys(SANDBOXES)) {
      const shots = scanShots(target, sandbox, () => withValues);
      await openLoop(target.url, options.rate, WARM_UP_SECONDS, shots);
    }
    const rows: string[][] = [];
    for (const sandbox of Object.keys(SANDBOXES)) {
      for (const [name, startOf] of Object.entries(TEXTS)) {
        print(`${sandbox}, ${name} ...`);
        rows.push(cells(sandbox, name, await median(service, scanShots(target, sandbox, startOf), options)));
      }
    }
    print('next to prompts of 250 KB full of values, one a second ...');
    const long = scanRequest(target, target.keys[0]!, 'no-rules', 'a@b.co '.repeat(35_000));
    const others = openLoop(target.url, 1, options.seconds * options.runs, () => long);
    const shots = scanShots(target, 'no-rules', () => withValues);
    rows.push(cells('no-rules', 'the same next to 250 KB', await median(service, shots, options)));
    await others;
    printTable(HEAD, rows);
  } finally {
    await service.stop();
  }
}
