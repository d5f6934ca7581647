import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';
import { quantileMs, type Stretch } from './good-customer.ts';
import type { Attacked } from './measure.ts';
import { runAttacks, startAttackedService } from './run-attacks.ts';

/**
 * How much slower a good customer becomes beside each attack:
 *
 *   node dist/test/attack/bench.js
 *
 * Ends with 1 when an attack makes it too slow in every try. Method: test/attack/README.md.
 */
const TIMES_QUIET = 5;
/**
 * The median shows a lasting load, the 99th percentile shows stalls. Below `leastQuietMs` a quiet figure counts as that:
 * service, attacker and this process share two processors, so that single scheduling pauses decide about medians; and a
 * dashboard that now and then takes a second is what a person puts up with.
 */
const QUANTILES = [
  { q: 0.5, leastQuietMs: 20 },
  { q: 0.99, leastQuietMs: 200 },
];
/** Harm by an attack recurs in each try; a pause of the machine hits another attack the next time. */
const RETRIES = 7;
/** With both quiet phases it stays within ten minutes, even on a busy machine; on a quiet one it takes four. */
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
