import { detectAll } from '#core/detect/detect.ts';
import { compileRules } from '#core/detect/find/custom-rules.ts';
import { assess } from '#core/detect/judge/assess.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import { explain } from '#core/detect/report/explain.ts';
import { print, printTable } from '../../cli/command/output.ts';
import { ascending, quantile } from '../load/quantile.ts';
import { hostilePieces, mixedTerms, ordinaryText, repeated } from './texts.ts';

const POLICY = { sandboxType: 'FULL_SPECTRUM', regulations: ['GDPR'], alertThreshold: 'HIGH' } as const;
const NO_RULES = compileRules([]);
const KIB = 1_024;
const SIZES_KIB = [0.1, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256];
const WARM_UP = 4_000;
const SCANS = 8_000;
const WORST = 64 * KIB;
/** Every piece is tried in a short text, and the slowest pieces in a long one. */
const TRIED = 4 * KIB;
const SLOWEST = 24;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** CPU ms that the analyzer needs for a text. */
function analysisMs(text: string): number {
  const texts: SourceText[] = [{ source: 'prompt', text }];
  const startedAt = cpuMs();
  const [matches = []] = detectAll([{ texts, rules: NO_RULES }]);
  explain(texts, matches, assess(matches, POLICY));
  return cpuMs() - startedAt;
}

/** The first run compiles the patterns. */
const bestMs = (text: string): number => Math.min(...[1, 2, 3].map(() => analysisMs(text)));

const perCharacter = (ms: number, length: number): string => ((ms / length) * 1e6).toFixed(0);

interface Timed {
  readonly name: string;
  readonly ms: number;
}

const slowestFirst = (timed: readonly Timed[], count: number): Timed[] =>
  timed.toSorted((one, other) => other.ms - one.ms).slice(0, count);

function printWorst(title: string, timed: readonly Timed[]): void {
  print(title);
  printTable(
    ['64 KB of', 'CPU ms', 'ns per character'],
    timed.map(({ name, ms }) => [name, ms.toFixed(1), perCharacter(ms, WORST)]),
  );
}

function measureOrdinary(): void {
  const ordinary = ordinaryText(512 * KIB);
  /** Different excerpts of ordinary text, so that branch prediction is not trained on one. */
  const stretches = (length: number, count: number): string[] =>
    Array.from({ length: count }, (_, i) => {
      const from = (i * 7_919) % (ordinary.length - length);
      return ordinary.slice(from, from + length);
    });
  const twoKib = stretches(2 * KIB, 500);
  const scan = (_: unknown, i: number): number => {
    const startedAt = performance.now();
    analysisMs(twoKib[i % twoKib.length]!);
    return performance.now() - startedAt;
  };
  Array.from({ length: WARM_UP }, scan);
  const before = cpuMs();
  const times = ascending(Array.from({ length: SCANS }, scan));
  const ms = (cpuMs() - before) / SCANS;
  print(
    `2 KB of ordinary text: p50 ${quantile(times, 0.5).toFixed(3)} ms, p99 ${quantile(times, 0.99).toFixed(3)} ms, ` +
      `CPU ${ms.toFixed(3)} ms, ${((2 * KIB) / 1e3 / ms).toFixed(1)} MB/s a core`,
  );
  printTable(
    ['KB of ordinary text', 'CPU ms', 'ns per character'],
    SIZES_KIB.map((kib) => {
      const length = Math.round(kib * KIB);
      const texts = stretches(length, 40);
      const rounds = Math.max(1, Math.round((8 * KIB) / length));
      const startedAt = cpuMs();
      for (let round = 0; round < rounds; round++) for (const text of texts) analysisMs(text);
      const each = (cpuMs() - startedAt) / rounds / texts.length;
      return [String(kib), each.toFixed(3), perCharacter(each, length)];
    }),
  );
}

export function detectAlone(): void {
  measureOrdinary();
  const pieces = hostilePieces();
  const tried = pieces.map((name) => ({ name, ms: bestMs(repeated(name, TRIED)) }));
  const worst = slowestFirst(tried, SLOWEST).map(({ name }) => ({
    name: JSON.stringify(name).slice(0, 50),
    ms: bestMs(repeated(name, WORST)),
  }));
  printWorst(
    `One hostile piece again and again, the slowest of ${pieces.length}:`,
    slowestFirst(worst, SLOWEST),
  );
  const mixed = mixedTerms(WORST).map(({ name, text }) => ({ name, ms: bestMs(text) }));
  printWorst('The terms of one detector in disorder, the slowest:', slowestFirst(mixed, SLOWEST / 2));
}
