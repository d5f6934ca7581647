import { ELEVATED_LEVELS, RISK_LEVELS, VIOLATION_GROUPS } from '#schemas/vocabulary.ts';
import { addPrompt, type Cluster } from './clusters.ts';
import type { Counters } from './counters.ts';
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

/** Attacks on models and systems. For violations that users' own templates trigger, near-duplicates mean nothing. */
const ATTACKS: ReadonlySet<string> = new Set<string>([
  ...VIOLATION_GROUPS.PROMPT_INJECTION,
  ...VIOLATION_GROUPS.SECURITY.filter((code) => code !== 'SECRET_LEAK'),
  'PRIVILEGE_ESCALATION',
]);

/** The windows in which a signal counts; null: the window is closed. */
export interface SignalWindows {
  readonly short: Window | null;
  readonly day: Window | null;
  /** Two overlap at any time, because one starts every week. */
  readonly fortnight: Window | null;
  readonly fortnightBefore: Window | null;
}

/** The counters that a signal incremented. Reused for every signal. */
export interface Grown {
  readonly tallies: Tally[];
  /** Number of tallies of this signal: emptying the list would reallocate it. */
  tallyCount: number;
  cluster: Cluster | null;
  /** The window of the cluster. */
  clusterWindow: Window | null;
  /** The keys under which the signal counts. */
  readonly keys: Key[];
  keyCount: number;
  /** The part of each window that the signal falls into; 0 if the window is closed. */
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

/** Counts signals with the same keys, hour by hour up to `end` (Unix ms): history, for which no window is open. */
export function countHours(counters: Counters, group: HourlyCounts, end: number, grown: Grown): void {
  const { hours, counts } = group;
  let { length } = hours;
  while (length > 0 && hours[length - 1]! * HOUR_MS >= end) length -= 1;
  if (length === 0) return;
  if (hours[0]! < counters.since) counters.since = hours[0]!;
  const isElevated = readKeys(counters, group, grown);
  for (let at = 0; at < grown.keyCount; at += 1) {
    const key = grown.keys[at]!;
    if (key.kind !== 'SANDBOX') addEach(key.hourly, hours, counts, length);
    if (isElevated && key.elevated !== null) addEach(key.elevated, hours, counts, length);
  }
}

/** Counts a day's violations by the shape of their prompts: also history. */
export function countShape({ keys }: Counters, { day, code, shape, count }: ShapeCount): void {
  if (!(shape >= 0 && shape < SHAPES)) throw new RangeError(`a shape must be below ${SHAPES}`);
  const key = violationKey(keys, code);
  if (key !== null) addToShape(key.shapes!, Math.floor(day / HOUR_MS), shape, count);
}

/**
 * Counts a signal and notes which counters grew. `count`: the number of signals that it represents. Throws a RangeError
 * if several are given where each must be known individually.
 */
export function countSignal(
  counters: Counters,
  signal: Omit<CountedSignal, 'count'>,
  windows: SignalWindows,
  grown: Grown,
  count = 1,
): void {
  const { createdAt, fingerprint, violations } = signal;
  const hour = Math.floor(createdAt / HOUR_MS);
  if (hour < counters.since) counters.since = hour;
  grown.tallyCount = 0;
  grown.cluster = null;
  const isElevated = readKeys(counters, signal, grown);
  readParts(windows, createdAt, grown);
  if (!isElevated && violations.length === 0) {
    countTotals(counters, hour, count, windows, grown);
    return;
  }
  if (count !== 1)
    throw new RangeError('signals with a violation or elevated risk must be added one at a time');
  const member = memberOf(signal);
  for (let at = 0; at < grown.keyCount; at += 1) {
    const key = grown.keys[at]!;
    addHour(key, hour, 1, isElevated);
    countIn(counters, key, windows, member, isElevated, grown);
    if (key.kind === 'CODE' && fingerprint !== null)
      countShapeOf(counters, key, shapeOf(fingerprint), windows.day, member, grown);
  }
  const clusters = windows.day?.clusters ?? null;
  if (clusters === null || fingerprint === null || !isAttack(violations)) return;
  grown.clusterWindow = windows.day;
  grown.cluster = addPrompt(clusters, counters.similarity, fingerprint, member, counters.settings.minSignals);
}

function countShapeOf(
  { keys, settings }: Counters,
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

/** Fills in the keys under which a signal counts, and returns whether its risk is elevated. */
function readKeys(counters: Counters, signal: Counted, into: Grown): boolean {
  const { keys } = counters;
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
    // A repeated code counts once.
    if (violations.indexOf(code) !== at) continue;
    const whole = violationKey(keys, code);
    // A parsed string is a new object each time, and slower to look up than the one already used as a key.
    const word = whole === null ? code : whole.word;
    push(into, whole);
    push(into, sandbox === null ? null : sandboxCode(keys, sandbox, word));
    push(into, model === null ? null : modelCode(keys, model, word));
    push(into, provider === null ? null : providerCode(keys, provider, word));
  }
  return isElevated;
}

/** Once for all keys: numbers as large as timestamps are boxed each time they are passed on. */
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
  counters: Counters,
  key: Key,
  { short, day, fortnight, fortnightBefore }: SignalWindows,
  member: Member,
  isElevated: boolean,
  grown: Grown,
): void {
  const { minSignals } = counters.settings;
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

/** For keys of shares all signals count towards the total, and elevated ones as evidence. */
function addShare(tally: Tally, member: Member, part: number, isElevated: boolean, grown: Grown): void {
  addTotal(tally, part, 1);
  if (isElevated) addCounting(tally, member, part, grown);
}

function addTotal(tally: Tally, part: number, count: number): void {
  const { partTotals } = tally;
  tally.total += count;
  if (partTotals.length > 0) partTotals[part]! += count;
}

/** Signals without a violation or elevated risk only count towards totals, and are never evidence. */
function countTotals(
  { settings }: Counters,
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
