import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';
import { quantileMs, type Stretch } from './good-customer.ts';
import type { Attacked } from './measure.ts';
import { runAttacks, startAttackedService } from './run-attacks.ts';

/**
 * Measures how much slower a good customer becomes during each attack:
 *
 *   node dist/test/attack/bench.js
 *
 * Exits with 1 when an attack makes it too slow in every try. Method: test/attack/README.md.
 */
const TIMES_QUIET = 5;
/**
 * The median shows lasting load, the 99th percentile shows stalls. A quiet figure below `leastQuietMs` counts as that
 * value: service, attacker and this process share two processors, so single scheduling pauses decide medians, and
 * people accept a dashboard that occasionally takes a second.
 */
const QUANTILES = [
  { q: 0.5, leastQuietMs: 20 },
  { q: 0.99, leastQuietMs: 200 },
];
/** Harm from an attack recurs in each try; a pause of the machine affects a different attack the next time. */
const RETRIES = 7;
/** Keeps the run within ten minutes including both quiet phases, even on a busy machine; an idle one takes four. */
const TRIED_WITHIN_MS = 480_000;

/** The upper limit for a quantile of the requests. */
const barMs = ({ q, leastQuietMs }: (typeof QUANTILES)[number], quiet: readonly Stretch[]): number =>
  TIMES_QUIET * Math.max(leastQuietMs, ...quiet.map((stretch) => quantileMs(stretch, q)));
const allSlow = (tries: readonly Attacked[], quiet: readonly Stretch[]): boolean =>
  tries.every(({ stretch }) => QUANTILES.some((one) => quantileMs(stretch, one.q) > barMs(one, quiet)));

const dataDir = temporaryDataDir();
const service = await startAttackedService(dataDir);
try {
  const { attacked, quiet } = await runAttacks(service, {
    rounds: RETRIES,
    withinMs: TRIED_WITHIN_MS,
    needed: allSlow,
  });
  const bars = QUANTILES.map((one) => `p${one.q * 100} ${barMs(one, quiet).toFixed(0)} ms`);
  const slow = [...attacked].filter(([, tries]) => allSlow(tries, quiet)).map(([name]) => name);
  process.stdout.write(`bars: ${bars.join(', ')}\n`);
  process.stdout.write(
    `${slow.length} of ${attacked.size} too slow in each try${slow.map((name) => `\n  ${name}`).join('')}\n`,
  );
  process.exitCode = slow.length > 0 ? 1 : 0;
} finally {
  await service.killTree();
  removeDataDir(dataDir);
}
