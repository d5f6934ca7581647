import { parseArgs } from 'node:util';
import { print, printTable } from '../cli/command/output.ts';
import { BODIES } from './budget/bodies.ts';
import { openLoop, quantile } from './load/open-loop.ts';
import { anonymousMiB, childrenOf } from './load/process-usage.ts';
import type { Shot } from './load/raw-http.ts';
import { ingestShots, type Target, tripletShots } from './load/triplets.ts';
import { openViewer, type Seen, seenBy, tabMemory, type Viewer } from './page/viewer.ts';
import { startEmbeddedService } from './service/embedded-service.ts';

/**
 * The overview in a browser: how soon a signal is counted on it after its 202, and what the tab and the service hold while
 * it stays open. Method and figures: docs/performance.md.
 *
 *   npm run bench:page -- [--rate 300] [--seconds 60] [--soak-rate 100] [--soak-minutes 20]
 *
 * Texts of 1.2 KB, and those of `examples/`. The service's code is compiled while it runs, and until then an audit costs twice
 * as much: the first seconds at the full rate are a row of their own.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '60' },
    'soak-rate': { type: 'string', default: '100' },
    'soak-minutes': { type: 'string', default: '20' },
  },
});
const [RATE, SECONDS, SOAK_RATE, SOAK_MINUTES] = [
  values.rate,
  values.seconds,
  values['soak-rate'],
  values['soak-minutes'],
].map(Number) as [number, number, number, number];
/** Triplets of a load, by what the tables call them. */
const TEXTS: Readonly<Record<'1.2 KB' | 'examples', (target: Target) => (number: number) => Shot>> = {
  '1.2 KB': tripletShots,
  examples: (target) => ingestShots(target, BODIES.examples!()),
};
const WARM_UP: Load = { texts: '1.2 KB', rate: 100, seconds: 10 };
const COMPILING_SECONDS = 20;
const PATIENCE_MS = 30_000;

/** Ends when the page has counted that many signals, or counts no more. */
async function untilCounted({ page }: Viewer, signals: number): Promise<Seen> {
  const counted = page.getByRole('button', { name: `${signals.toLocaleString('en-US')} new`, exact: true });
  await counted.waitFor({ timeout: PATIENCE_MS }).catch((error: unknown) => print(String(error)));
  return seenBy(page);
}

const showNew = ({ page }: Viewer): Promise<void> =>
  page.getByRole('button', { name: /^[\d,]+ new$/ }).click();

/** Shows what waits once everything has come, so that the count begins anew. */
async function showAll(viewer: Viewer): Promise<void> {
  const { page } = viewer;
  await showNew(viewer);
  await page.locator('.new-rows').waitFor({ state: 'detached' });
  await page.evaluate('window.seen.length = 0');
}

interface Load {
  readonly texts: keyof typeof TEXTS;
  readonly rate: number;
  readonly seconds: number;
}

async function send({ target }: Viewer, { texts, rate, seconds }: Load): Promise<number[]> {
  const acceptedAt: number[] = [];
  await openLoop(target.url, rate, seconds, TEXTS[texts](target), () => acceptedAt.push(Date.now()));
  return acceptedAt;
}

/**
 * The page says how many it counts, not which: the n-th signal on it is compared with the n-th 202. What overtakes another
 * one makes no difference to the sum.
 */
async function measureDelay(viewer: Viewer, load: Load, when: string): Promise<string[]> {
  const { texts, rate, seconds } = load;
  print(`${texts}, ${when}: ${rate}/s for ${seconds} s ...`);
  const acceptedAt = await send(viewer, load);
  const seen = await untilCounted(viewer, acceptedAt.length);
  const delays = acceptedAt
    .flatMap((at, place) => {
      const shown = seen.find(([, count]) => count > place);
      return shown === undefined ? [] : [shown[0] - at];
    })
    .toSorted((a, b) => a - b);
  const counted = seen.at(-1)?.[1] ?? 0;
  const times = [quantile(delays, 0.5), quantile(delays, 0.95), delays.at(-1) ?? Number.NaN];
  await showAll(viewer);
  return [
    texts,
    when,
    `${rate}/s`,
    `${acceptedAt.length}`,
    `${counted}`,
    ...times.map((ms) => ms.toFixed(0)),
  ];
}

const DELAY_HEAD = ['texts', '', 'rate', 'accepted', 'counted', 'p50 ms', 'p95 ms', 'max ms'];

/** A minute at a time, after each of which somebody shows what is new. */
async function soak(viewer: Viewer, pid: number): Promise<void> {
  const rows: string[][] = [];
  for (let minute = 0; minute <= SOAK_MINUTES; minute += 1) {
    const { heapMiB, elements } = await tabMemory(viewer.devtools);
    const engine = childrenOf(pid).reduce((sum, child) => sum + anonymousMiB(child), 0);
    const row = [heapMiB.toFixed(1), String(elements), anonymousMiB(pid).toFixed(0), engine.toFixed(0)];
    rows.push([String(minute), ...row]);
    print(`minute ${minute}: tab ${row[0]} MiB, service ${row[2]} MiB, engine ${row[3]} MiB`);
    if (minute === SOAK_MINUTES) break;
    await send(viewer, { texts: '1.2 KB', rate: SOAK_RATE, seconds: 60 });
    await showNew(viewer);
  }
  printTable(['minute', 'tab, MiB', 'elements', 'service, MiB', 'engine, MiB'], rows);
}

const service = await startEmbeddedService(0);
try {
  const viewer = await openViewer(service.target.url, service.internalSecret);
  try {
    print('warming up ...');
    const warmUp = await send(viewer, WARM_UP);
    await untilCounted(viewer, warmUp.length);
    await showAll(viewer);
    const loads = [
      [{ texts: '1.2 KB', rate: RATE, seconds: COMPILING_SECONDS }, 'first seconds'],
      [{ texts: '1.2 KB', rate: RATE, seconds: SECONDS }, 'after that'],
      [{ texts: 'examples', rate: RATE, seconds: SECONDS }, 'after that'],
    ] as const;
    const rows: string[][] = [];
    for (const [load, when] of loads) rows.push(await measureDelay(viewer, load, when));
    printTable(DELAY_HEAD, rows);
    if (SOAK_MINUTES > 0) await soak(viewer, service.pid);
  } finally {
    await viewer.browser.close();
  }
} finally {
  await service.stop();
}
