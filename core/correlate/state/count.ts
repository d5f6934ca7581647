import { ELEVATED_LEVELS, RISK_LEVELS, VIOLATION_GROUPS } from '#schemas/vocabulary.ts';
import type { Book } from './book.ts';
import { addPrompt, type Cluster } from './clusters.ts';
import type { CorrelatedSignal, CountedSignal, HourlyCounts, ShapeCount } from './entries.ts';
import { addMember, type Member } from './evidence.ts';
import {
  modelCode,
  modelKeys,
  providerCode,
  providerKeys,
  riskKey,
  sandboxCode,
  sandboxKeys,
  stratumKey,
  violationKey,
} from './keys.ts';
import { addToShape, SHAPES, shapeKey, shapeOf } from './prompt-shapes.ts';
import { DAY_PARTS, FORTNIGHT_PARTS, HOUR_MS } from './rules.ts';
import { addEach, addTo } from './series.ts';
import type { Key, Tally, Window } from './shapes.ts';
import { partOf, tallyOf } from './tally.ts';

/** Attacks on models and systems: of what everybody's own templates trip over, near-duplicates say nothing. */
const ATTACKS: ReadonlySet<string> = new Set<string>([
  ...VIOLATION_GROUPS.PROMPT_INJECTION,
  ...VIOLATION_GROUPS.SECURITY.filter((code) => code !== 'SECRET_LEAK'),
  'PRIVILEGE_ESCALATION',
]);

/** The windows that a signal counts in; null: that one is shut. */
export interface SignalWindows {
  readonly short: Window | null;
  readonly day: Window | null;
  /** The two that it is in: one begins every week. */
  readonly fortnight: Window | null;
  readonly fortnightBefore: Window | null;
}

/** What a signal made grow. Reused from signal to signal. */
export interface Grown {
  readonly tallies: Tally[];
  /** How many of them are of this signal: lists that are emptied are made anew. */
  tallyCount: number;
  cluster: Cluster | null;
  /** Of the cluster. */
  clusterWindow: Window | null;
  /** The keys that it counts for. */
  readonly keys: Key[];
  keyCount: number;
  /** Which part of each window it is in; 0 of one that is shut. */
  dayPart: number;
  fortnightPart: number;
  fortnightBeforePart: number;
}

export const nothingGrown = (): Grown => ({
  tallies: [],
  tallyCount: 0,
  cluster: null,
  clusterWindow: null,
  keys: [],
  keyCount: 0,
  dayPart: 0,
  fortnightPart: 0,
  fortnightBeforePart: 0,
});

/** Counts signals that are equal in what keys look at, hour by hour up to `end` (Unix ms): the past, of which no window is open. */
export function countHours(book: Book, group: HourlyCounts, end: number, grown: Grown): void {
  const { hours, counts } = group;
  let { length } = hours;
  while (length > 0 && hours[length - 1]! * HOUR_MS >= end) length -= 1;
  if (length === 0) return;
  if (hours[0]! < book.since) book.since = hours[0]!;
  const isElevated = readKeys(book, group, grown);
  for (let at = 0; at < grown.keyCount; at += 1) {
    const key = grown.keys[at]!;
    if (key.kind !== 'SANDBOX') addEach(key.hourly, hours, counts, length);
    if (isElevated && key.elevated !== null) addEach(key.elevated, hours, counts, length);
  }
}

/** Counts violations of a day by the shape of their prompts: the past, too. */
export function countShape({ keys }: Book, { day, code, shape, count }: ShapeCount): void {
  if (!(shape >= 0 && shape < SHAPES)) throw new RangeError(`a shape must be below ${SHAPES}`);
  const key = violationKey(keys, code);
  if (key !== null) addToShape(key.shapes!, Math.floor(day / HOUR_MS), shape, count);
}

/**
 * Counts a signal, and notes what grew by it. `count`: how many it stands for. Throws a RangeError where several would
 * need more than a number.
 */
export function countSignal(
  book: Book,
  signal: Omit<CountedSignal, 'count'>,
  windows: SignalWindows,
  grown: Grown,
  count = 1,
): void {
  const { createdAt, fingerprint, violations } = signal;
  const hour = Math.floor(createdAt / HOUR_MS);
  if (hour < book.since) book.since = hour;
  grown.tallyCount = 0;
  grown.cluster = null;
  const isElevated = readKeys(book, signal, grown);
  readParts(windows, createdAt, grown);
  if (!isElevated && violations.length === 0) {
    countTotals(book, hour, count, windows, grown);
    return;
  }
  if (count !== 1)
    throw new RangeError('signals with a violation or elevated risk must be added one at a time');
  const member = memberOf(signal);
  for (let at = 0; at < grown.keyCount; at += 1) {
    const key = grown.keys[at]!;
    addHour(key, hour, 1, isElevated);
    countIn(book, key, windows, member, isElevated, grown);
    if (key.kind === 'CODE' && fingerprint !== null)
      countShapeOf(book, key, shapeOf(fingerprint), windows.day, member, grown);
  }
  const clusters = windows.day?.clusters ?? null;
  if (clusters === null || fingerprint === null || !isAttack(violations)) return;
  grown.clusterWindow = windows.day;
  grown.cluster = addPrompt(clusters, book.similarity, fingerprint, member, book.settings.minSignals);
}

function countShapeOf(
  { keys, settings }: Book,
  code: Key,
  shape: number,
  day: Window | null,
  member: Member,
  grown: Grown,
): void {
  addToShape(code.shapes!, Math.floor(member.at / HOUR_MS), shape, 1);
  const key = day === null ? null : shapeKey(keys, code, shape);
  if (key !== null) addCounting(tallyOf(key, day!, settings.minSignals), member, grown.dayPart, grown);
}

const memberOf = ({ index, id, createdAt, riskLevel }: Omit<CountedSignal, 'count'>): Member => ({
  index,
  id,
  at: createdAt,
  rank: RISK_LEVELS.indexOf(riskLevel),
});

const isAttack = (violations: readonly string[]): boolean => violations.some((code) => ATTACKS.has(code));

function addHour(key: Key, hour: number, count: number, isElevated: boolean): void {
  if (key.kind !== 'SANDBOX') addTo(key.hourly, hour, count);
  if (isElevated && key.elevated !== null) addTo(key.elevated, hour, count);
}

type Counted = Pick<
  CorrelatedSignal,
  'riskLevel' | 'violations' | 'sandboxId' | 'sandboxSlug' | 'provider' | 'model'
>;

/** Fills in the keys that a signal counts for, and says whether its risk is elevated. */
function readKeys(book: Book, signal: Counted, into: Grown): boolean {
  const { keys } = book;
  const { riskLevel, violations } = signal;
  const isElevated = ELEVATED_LEVELS.includes(riskLevel);
  const sandbox = sandboxKeys(keys, signal.sandboxId, signal.sandboxSlug);
  const provider = providerKeys(keys, signal.provider);
  const model = provider === null ? null : modelKeys(keys, provider, signal.model);
  into.keyCount = 0;
  if (sandbox !== null) push(into, sandbox.all);
  push(into, sandbox === null || model === null ? null : stratumKey(keys, sandbox, model));
  if (isElevated) push(into, riskKey(keys, riskLevel));
  for (let at = 0; at < violations.length; at += 1) {
    const code = violations[at]!;
    // A code that is there twice counts once.
    if (violations.indexOf(code) !== at) continue;
    const whole = violationKey(keys, code);
    // Texts that were read are new each time, and slower to find than the one that is a key already.
    const word = whole === null ? code : whole.word;
    push(into, whole);
    push(into, sandbox === null ? null : sandboxCode(keys, sandbox, word));
    push(into, model === null ? null : modelCode(keys, model, word));
    push(into, provider === null ? null : providerCode(keys, provider, word));
  }
  return isElevated;
}

/** Once for all keys: numbers that are as large as times make an object each wherever they are handed on. */
function readParts({ day, fortnight, fortnightBefore }: SignalWindows, at: number, into: Grown): void {
  into.dayPart = day === null ? 0 : partOf(day, DAY_PARTS, at);
  into.fortnightPart = fortnight === null ? 0 : partOf(fortnight, FORTNIGHT_PARTS, at);
  into.fortnightBeforePart = fortnightBefore === null ? 0 : partOf(fortnightBefore, FORTNIGHT_PARTS, at);
}

function push(into: Grown, key: Key | null): void {
  if (key === null) return;
  into.keys[into.keyCount] = key;
  into.keyCount += 1;
}

function countIn(
  book: Book,
  key: Key,
  { short, day, fortnight, fortnightBefore }: SignalWindows,
  member: Member,
  isElevated: boolean,
  grown: Grown,
): void {
  const { minSignals } = book.settings;
  const { dayPart } = grown;
  switch (key.kind) {
    case 'SANDBOX':
      if (fortnight !== null)
        addShare(tallyOf(key, fortnight, minSignals), member, grown.fortnightPart, isElevated, grown);
      if (fortnightBefore !== null)
        addShare(
          tallyOf(key, fortnightBefore, minSignals),
          member,
          grown.fortnightBeforePart,
          isElevated,
          grown,
        );
      return;
    case 'STRATUM':
      if (day !== null) addShare(tallyOf(key, day, minSignals), member, dayPart, isElevated, grown);
      return;
    case 'RISK':
    case 'CODE':
      if (short !== null) addCounting(tallyOf(key, short, minSignals), member, 0, grown);
      return;
    case 'SANDBOX_CODE':
      if (short !== null) addCounting(tallyOf(key, short, Math.min(minSignals, 2)), member, 0, grown);
      if (day !== null) addCounting(tallyOf(key, day, minSignals), member, dayPart, grown);
      return;
    default:
      if (day !== null) addCounting(tallyOf(key, day, minSignals), member, dayPart, grown);
  }
}

function addCounting(tally: Tally, member: Member, part: number, grown: Grown): void {
  const { parts } = tally;
  addMember(tally, member);
  if (parts.length > 0) parts[part]! += 1;
  grown.tallies[grown.tallyCount] = tally;
  grown.tallyCount += 1;
}

/** Of keys of shares all signals count, and the elevated ones are what is looked for. */
function addShare(tally: Tally, member: Member, part: number, isElevated: boolean, grown: Grown): void {
  addTotal(tally, part, 1);
  if (isElevated) addCounting(tally, member, part, grown);
}

function addTotal(tally: Tally, part: number, count: number): void {
  const { partTotals } = tally;
  tally.total += count;
  if (partTotals.length > 0) partTotals[part]! += count;
}

/** Signals that nothing looks for are a part of shares alone, and no member of anything. */
function countTotals(
  { settings }: Book,
  hour: number,
  count: number,
  { day, fortnight, fortnightBefore }: SignalWindows,
  grown: Grown,
): void {
  const { minSignals } = settings;
  for (let at = 0; at < grown.keyCount; at += 1) {
    const key = grown.keys[at]!;
    addHour(key, hour, count, false);
    if (key.kind === 'SANDBOX') {
      if (fortnight !== null) addTotal(tallyOf(key, fortnight, minSignals), grown.fortnightPart, count);
      if (fortnightBefore !== null)
        addTotal(tallyOf(key, fortnightBefore, minSignals), grown.fortnightBeforePart, count);
    } else if (day !== null) addTotal(tallyOf(key, day, minSignals), 0, count);
  }
}
