import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compiledModule } from '#platform/config/package-root.ts';
import { isEndless } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { groupBy } from '#schemas/group-by.ts';
import { print, printTable } from '../cli/command/output.ts';
import { type Credentials, hostileCorpus } from './load/hostile-corpus.ts';
import { largeRequests } from './load/hostile-large.ts';
import { type OneAnswer, sendOne } from './load/one-request.ts';
import { randomFrom } from './load/random.ts';
import { clockOrigin, type StallLine } from './load/stall-sampler.ts';
import { startEmbeddedService } from './service/embedded-service.ts';

/**
 * How long one request can block the API's event loop: hostile requests generated from the OpenAPI description, one
 * after the other:
 *
 *   npm run bench:hostile -- [--requests 10000] [--seed 1] [--repeats 5]
 *
 * The target: no block of 50 ms or more. Method and figures: docs/performance.md.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    repeats: { type: 'string', default: '5' },
  },
});
const PER_OPERATION = Math.ceil(Number(values.requests) / ROUTES.filter((one) => !isEndless(one)).length);
const BAR_MS = 50;
/** After the last request, until the sampler has written its measurements. */
const SETTLE_MS = 500;
const WORST_SHOWN = 12;
/** Loopback addresses used in turn, so that no limit per address hides what a request costs. */
const ADDRESSES = 3 * 250;
const SLUG = 'bench';

interface Sent extends OneAnswer {
  readonly number: number;
  readonly route: string;
  readonly kind: string;
  readonly bytes: number;
}

const addressOf = (number: number): string => {
  const place = number % ADDRESSES;
  return `127.0.${1 + Math.floor(place / 250)}.${1 + (place % 250)}`;
};

const wire = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | null,
): Buffer => {
  const all = {
    host: 'localhost',
    ...headers,
    ...(body === null ? {} : { 'content-length': String(body.length) }),
  };
  const head = Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
};

async function sendCorpus(url: string, credentials: Credentials): Promise<Sent[]> {
  const sent: Sent[] = [];
  const random = randomFrom(Number(values.seed));
  for (const { operation, kind, method, target, headers, body } of hostileCorpus(
    PER_OPERATION,
    random,
    credentials,
  )) {
    const number = sent.length;
    const bytes = wire(method, target, headers, body);
    const answer = await sendOne(url, addressOf(number), bytes);
    sent.push({ number, route: operation, kind, bytes: bytes.length, ...answer });
    if (number % 1_000 === 999) print(`${number + 1} requests ...`);
  }
  return sent;
}

async function sendLarge(url: string, credentials: Credentials): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const { name, target, type, body } of largeRequests(credentials)) {
    const bytes = wire('POST', target, { 'x-service-key': credentials.key, 'content-type': type }, body);
    for (let repeat = 0; repeat < Number(values.repeats); repeat += 1) {
      const answer = await sendOne(url, addressOf(repeat), bytes);
      sent.push({ number: sent.length, route: name, kind: 'large', bytes: bytes.length, ...answer });
    }
  }
  return sent;
}

interface Stretch {
  /** Without the time for which the thread waited for a core. */
  readonly ms: number;
  readonly corelessMs: number;
  /** Garbage collection pauses within it, waits for a core included. */
  readonly gcMs: number;
}
const NONE: Stretch = { ms: 0, corelessMs: 0, gcMs: 0 };

/** The longest block of each request, in their order: blocks that overlap the time of the request. */
function stretchesOf(sent: readonly Sent[], lines: readonly StallLine[]): Stretch[] {
  const origin = clockOrigin();
  const of = (what: string) => lines.filter(([kind]) => kind === what).toSorted((a, b) => a[1] - b[1]);
  const [stalls, pauses] = [of('stall'), of('gc')];
  let next = 0;
  return sent.map(({ sentAt, endedAt }) => {
    let worst = NONE;
    while (next < stalls.length && stalls[next]![2] < origin + sentAt) next += 1;
    for (let at = next; at < stalls.length && stalls[at]![1] <= origin + endedAt; at += 1) {
      const [, from, to, corelessMs] = stalls[at]!;
      if (to - from - corelessMs <= worst.ms) continue;
      const gcMs = pauses.reduce(
        (sum, [, begun, over]) => sum + Math.max(0, Math.min(over, to) - Math.max(begun, from)),
        0,
      );
      worst = { ms: to - from - corelessMs, corelessMs, gcMs };
    }
    return worst;
  });
}

const HEAD = ['', 'requests', 'answers', 'worst ms', 'GC in it', 'no core beside it', `${BAR_MS} ms or more`];

function rowsBy(
  sent: readonly Sent[],
  stretches: readonly Stretch[],
  nameOf: (one: Sent) => string,
): string[][] {
  const groups = groupBy(sent.keys(), (at) => nameOf(sent[at]!));
  return [...groups].map(([name, places]) => {
    const outcomes = new Map<string, number>();
    for (const at of places) outcomes.set(sent[at]!.outcome, (outcomes.get(sent[at]!.outcome) ?? 0) + 1);
    const answers = [...outcomes]
      .toSorted()
      .map(([outcome, count]) => `${outcome} x ${count}`)
      .join(', ');
    const all = places.map((at) => stretches[at]!);
    const worst = all.reduce((most, one) => (one.ms > most.ms ? one : most), NONE);
    const over = all.filter(({ ms }) => ms >= BAR_MS).length;
    return [
      name,
      String(places.length),
      answers,
      worst.ms.toFixed(1),
      worst.gcMs.toFixed(1),
      worst.corelessMs.toFixed(1),
      String(over),
    ];
  });
}

/** Answers that must not occur: 503 means that something is temporarily unavailable, and is documented. */
const isFault = ({ outcome }: Sent): boolean => !/^[1-4]\d\d$/.test(outcome) && outcome !== '503';

function report(title: string, sent: readonly Sent[], lines: readonly StallLine[], byKind: boolean): void {
  const stretches = stretchesOf(sent, lines);
  print(`\n${title}`);
  printTable(
    HEAD,
    rowsBy(sent, stretches, ({ route }) => route),
  );
  if (byKind)
    printTable(
      HEAD,
      rowsBy(sent, stretches, ({ kind }) => kind),
    );
  const worst = sent.map((one, at) => ({ one, ...stretches[at]! })).toSorted((a, b) => b.ms - a.ms);
  print('The longest stretches:');
  for (const { one, ms, gcMs, corelessMs } of worst.slice(0, WORST_SHOWN))
    print(
      `  ${ms.toFixed(1)} ms (GC ${gcMs.toFixed(1)}, no core for another ${corelessMs.toFixed(1)}): ${one.route}, ${one.kind}, request ${one.number}, ${one.bytes} bytes, ${one.outcome}`,
    );
  const faults = sent.filter(isFault);
  print(`Faults: ${faults.length}`);
  for (const { number, route, kind, bytes, outcome } of faults.slice(0, WORST_SHOWN))
    print(`  ${outcome}: ${route}, ${kind}, request ${number}, ${bytes} bytes`);
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'cas-stalls-'));
const file = path.join(folder, 'stalls');
const readLines = (): StallLine[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StallLine);
const service = await startEmbeddedService(1, {
  environment: {
    STALLS_FILE: file,
    NODE_OPTIONS: `--import=file://${compiledModule('bench/load/stall-sampler.ts')}`,
  },
});
try {
  const { target, internalSecret } = service;
  const credentials = { key: target.keys[0] ?? '', internalSecret, slug: SLUG };
  print('once to warm up ...');
  for (const one of hostileCorpus(5, randomFrom(0), credentials))
    await sendOne(target.url, addressOf(0), wire(one.method, one.target, one.headers, one.body));
  const begun = performance.now();
  const corpus = await sendCorpus(target.url, credentials);
  const seconds = (performance.now() - begun) / 1000;
  const large = await sendLarge(target.url, credentials);
  await sleep(SETTLE_MS);
  const lines = readLines();
  report(`${corpus.length} requests, seed ${values.seed}, in ${seconds.toFixed(0)} s`, corpus, lines, true);
  report(`The largest bodies, ${values.repeats} times each`, large, lines, false);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}
