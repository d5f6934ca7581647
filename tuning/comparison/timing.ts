import { detectAll } from '#core/detect/detect.ts';
import type { SeededRandom } from '../samples/random.ts';
import { auditsOf } from './mixtures.ts';
import type { ComparedAudit, Release } from './releases.ts';

/** Audits per list, as in the analyzer. */
const LIST = 64;
/** Each pair of slices runs the same audits through both releases; no audit is repeated. */
const PAIRS = 24;
const WARM_UP = 6;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function timed(work: () => void): number {
  const started = cpuMs();
  work();
  return cpuMs() - started;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Microseconds per audit of the old and of this release, and the median ratio of the pairs with its quartiles. */
interface Timing {
  readonly name: string;
  readonly oldUs: number;
  readonly newUs: number;
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
}

interface Kind {
  readonly name: string;
  readonly audit: () => ComparedAudit;
}

/** Prose of this length that occurs in no other audit. */
function prose(random: SeededRandom, texts: readonly string[], length: number): string {
  let text = '';
  while (text.length < length) text += `${random.pick(texts)} `;
  // Converts through bytes, so that V8 assembles the text now instead of on first read.
  return Buffer.from(text.slice(0, length)).toString();
}

/** Kinds of audits, by the total length of prompt and response in characters. */
export function kindsOf(
  random: SeededRandom,
  texts: readonly string[],
  examples: readonly ComparedAudit[],
): Kind[] {
  const pair = (length: number): ComparedAudit =>
    auditsOf(prose(random, texts, length / 2), prose(random, texts, length / 2))[0]!;
  return [
    { name: 'a pair of empty texts', audit: () => auditsOf('', '')[0]! },
    { name: 'examples', audit: () => random.pick(examples) },
    ...[272, 1_200, 2_000].map((length) => ({
      name: `${length} characters`,
      audit: () => pair(length),
    })),
  ];
}

function timeOf(old: Release, { name, audit }: Kind): Timing {
  const pairs: (readonly [number, number])[] = [];
  for (let pair = 0; pair < WARM_UP + PAIRS; pair++) {
    const audits = Array.from({ length: LIST }, audit);
    const before = (): void => {
      for (const one of audits) old.detect(one);
    };
    const now = (): void => {
      detectAll(audits);
    };
    // Alternates, because the first release reads texts that are then in the second one's caches.
    const [first, second] = pair % 2 === 0 ? [before, now] : [now, before];
    const [one, other] = [timed(first), timed(second)];
    if (pair >= WARM_UP) pairs.push(pair % 2 === 0 ? [one, other] : [other, one]);
  }
  const ratios = pairs.map(([before, now]) => now / before).toSorted((a, b) => a - b);
  const us = (of: 0 | 1): number => (median(pairs.map((pair) => pair[of])) * 1_000) / LIST;
  const quartile = (share: number): number => ratios[Math.floor(ratios.length * share)]!;
  return {
    name,
    oldUs: us(0),
    newUs: us(1),
    ratio: median(ratios),
    quartiles: [quartile(0.25), quartile(0.75)],
  };
}

export const timings = (old: Release, kinds: readonly Kind[]): Timing[] =>
  kinds.map((kind) => timeOf(old, kind));
