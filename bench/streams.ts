import { parseArgs } from 'node:util';
import { print, printTable } from '../cli/command/output.ts';
import { openStreams } from './load/event-streams.ts';
import { openLoop, quantile } from './load/open-loop.ts';
import { anonymousMiB, usageOf } from './load/process-usage.ts';
import { ingestShots, SLUG } from './load/triplets.ts';
import { startEmbeddedService } from './service/embedded-service.ts';

/**
 * Streams of one process: what idle ones cost, how soon a signal is on them while others send, and what clients that do
 * not read cost. Method and figures: docs/performance.md.
 *
 *   npm run bench:streams -- [--clients 2000] [--idle 60] [--rate 300] [--seconds 60] [--deaf 100]
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '2000' },
    idle: { type: 'string', default: '60' },
    rate: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '60' },
    deaf: { type: 'string', default: '100' },
  },
});
const [CLIENTS, IDLE_S, RATE, SECONDS, DEAF] = [
  values.clients,
  values.idle,
  values.rate,
  values.seconds,
  values.deaf,
].map(Number) as [number, number, number, number, number];
const PER_CUSTOMER = 50;
const PATH = '/dashboard/stream';
/** The first customers send; the others only have streams. */
const SENDERS = 4;
const SETTLE_MS = 5_000;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const service = await startEmbeddedService(SENDERS + Math.ceil((CLIENTS + DEAF) / (PER_CUSTOMER - 10)));
const rows: (readonly string[])[] = [];
const note = (what: string, value: string): void => {
  rows.push([what, value]);
  print(`${what}: ${value}`);
};
const memory = (): number => anonymousMiB(service.pid);
/** Until everything that was accepted is stored: what is measured then is not the rest of a load. */
async function untilStored(key: string): Promise<void> {
  for (let looks = 0; looks < 120; looks += 1) {
    const answer = await fetch(`${service.target.url}/dashboard/stats`, {
      headers: { 'x-service-key': key },
    });
    const { freshness } = (await answer.json()) as { freshness?: { complete: boolean } };
    if (freshness?.complete === true) return;
    await after(500);
  }
  print('not everything was stored within a minute; the figures have that in them');
}
/** A quarter of the clients each, for a listener takes half of its connections from one address. */
const addressOf = (n: number): string => `127.0.0.${2 + (n % 4)}`;
const acceptedAt = new Map<string, number>();
const times: number[] = [];
const seenAt = new Map<string, number>();

try {
  const { url, keys } = service.target;
  const senders = { url, keys: keys.slice(0, SENDERS) };
  const shots = ingestShots(senders, () =>
    Buffer.from(
      JSON.stringify({
        sandboxSlug: SLUG,
        provider: 'openai',
        model: 'gpt-4o',
        prompt: 'Please write to ann@example.org about her order.',
        response: 'b',
      }),
    ),
  );
  print('warming up ...');
  await openLoop(url, RATE, 10, shots);
  await untilStored(keys[0]!);
  await after(SETTLE_MS);
  const alone = memory();
  await after(IDLE_S * 1_000);
  note(`grown in ${IDLE_S} s without streams, MiB`, (memory() - alone).toFixed(1));
  const before = memory();
  const watching = keys.slice(SENDERS);
  const keyOf = (n: number): string => watching[n % watching.length]!;
  const idle = await openStreams(CLIENTS, { url, path: PATH, keyOf, addressOf });
  await after(SETTLE_MS);
  const opened = memory();
  note('idle streams', String(idle.open));
  note('memory of a stream, KiB', (((opened - before) * 1024) / CLIENTS).toFixed(1));
  const cpu = usageOf(service.pid).cpuSeconds;
  await after(IDLE_S * 1_000);
  note(`grown in ${IDLE_S} s, MiB`, (memory() - opened).toFixed(1));
  note('CPU meanwhile, of a core', ((usageOf(service.pid).cpuSeconds - cpu) / IDLE_S).toFixed(3));

  // One stream for each sender, to which every signal is timed.
  const rest = new Map<number, string>();
  const live = await openStreams(SENDERS, {
    url,
    path: PATH,
    keyOf: (n) => senders.keys[n]!,
    addressOf,
    onText: (n, text) => {
      const now = performance.now();
      const lines = ((rest.get(n) ?? '') + text).split('\n');
      rest.set(n, lines.pop()!);
      for (const line of lines) {
        const id = /"auditId":"([0-9a-f-]{36})"/.exec(line)?.[1];
        if (id !== undefined && line.startsWith('data: {')) seenAt.set(id, now);
      }
    },
  });
  print(`${RATE}/s for ${SECONDS} s ...`);
  const load = await openLoop(url, RATE, SECONDS, shots, (_number, answer, at) => {
    const id = /"auditId":"([0-9a-f-]{36})"/.exec(answer.body())?.[1];
    if (id !== undefined) acceptedAt.set(id, at);
  });
  await after(SETTLE_MS);
  for (const [id, at] of acceptedAt) {
    const seen = seenAt.get(id);
    if (seen !== undefined) times.push(seen - at);
  }
  times.sort((a, b) => a - b);
  note('ingests', `${load.perSecond.toFixed(0)}/s, ${load.ok} answered`);
  note('not seen on a stream', String(acceptedAt.size - times.length));
  note('ms from 202 to the stream, p50', quantile(times, 0.5).toFixed(0));
  note('ms from 202 to the stream, p95', quantile(times, 0.95).toFixed(0));
  note('ms from 202 to the stream, max', (times.at(-1) ?? Number.NaN).toFixed(0));
  note('idle streams still open', String(idle.open));
  live.close();

  // Clients that read nothing, of the customers that send.
  await untilStored(keys[0]!);
  const quiet = memory();
  const deaf = await openStreams(Math.min(DEAF, SENDERS * (PER_CUSTOMER - 5)), {
    url,
    path: PATH,
    keyOf: (n) => senders.keys[n % SENDERS]!,
    addressOf,
    isDeaf: () => true,
  });
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, memory());
  }, 500);
  await openLoop(url, RATE, SECONDS, shots);
  clearInterval(watch);
  await after(SETTLE_MS);
  note(`${DEAF} that read nothing, memory more at most, MiB`, (most - quiet).toFixed(0));
  note('and at the end, MiB', (memory() - quiet).toFixed(0));
  deaf.close();
  idle.close();
  printTable(['what', 'value'], rows);
} finally {
  await service.stop();
}
