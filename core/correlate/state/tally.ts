import { NO_MEMBERS } from './evidence.ts';
import { DAY_MS, DAY_PARTS, FORTNIGHT_MS, FORTNIGHT_PARTS, WEEK_MS } from './rules.ts';
import type { Key, Span, Tally, Window } from './shapes.ts';

export const spanLength = (span: Span, windowMs: number): number =>
  span === 'SHORT' ? windowMs : span === 'DAY' ? DAY_MS : FORTNIGHT_MS;

/** Shared by all tallies without parts; never written to. */
const NO_PARTS: number[] = [];

/** The tally of a key in a window, created if necessary. */
export function tallyOf(key: Key, window: Window, minSignals: number): Tally {
  const known = openTally(key, window);
  if (known !== null) return known;
  const tally: Tally = {
    key,
    window,
    before: null,
    count: 0,
    members: NO_MEMBERS,
    beyond: null,
    total: 0,
    parts: partsOf(key, window),
    partTotals: window.span === 'FORTNIGHT' ? new Array<number>(FORTNIGHT_PARTS).fill(0) : NO_PARTS,
    look: minSignals,
  };
  addTally(tally);
  return tally;
}

/** Literal property names: a dynamic name is looked up on every access. */
const lastOf = ({ short, day, fortnight }: Key, span: Span): Tally | null =>
  span === 'SHORT' ? short : span === 'DAY' ? day : fortnight;

function setLast(key: Key, span: Span, tally: Tally | null): void {
  if (span === 'SHORT') key.short = tally;
  else if (span === 'DAY') key.day = tally;
  else key.fortnight = tally;
}

export function addTally(tally: Tally): void {
  const { key, window } = tally;
  tally.before = lastOf(key, window.span);
  setLast(key, window.span, tally);
  window.tallies.push(tally);
}

/** Nearly all signals count in the latest window; at most `MAX_OPEN_WINDOWS` of a span are open. */
export function openTally(key: Key, window: Window): Tally | null {
  let tally = lastOf(key, window.span);
  while (tally !== null && tally.window !== window) tally = tally.before;
  return tally;
}

/** Unlinks a tally from its key; its window is dropped as a whole. */
export function dropTally(tally: Tally): void {
  const { key, window, before } = tally;
  let next = lastOf(key, window.span);
  if (next === tally) {
    setLast(key, window.span, before);
    return;
  }
  while (next !== null && next.before !== tally) next = next.before;
  if (next !== null) next.before = before;
}

export const NO_TALLIES = { short: null, day: null, fortnight: null } as const;

export const hasNone = ({ short, day, fortnight }: Key): boolean =>
  short === null && day === null && fortnight === null;

function partsOf(key: Key, { span }: Window): number[] {
  if (span === 'FORTNIGHT') return new Array<number>(FORTNIGHT_PARTS).fill(0);
  return span === 'DAY' && key.kind !== 'STRATUM' ? new Array<number>(DAY_PARTS).fill(0) : NO_PARTS;
}

/** The part of its window that a time falls into. */
export const partOf = ({ start, lengthMs }: Window, parts: number, at: number): number =>
  Math.floor(((at - start) * parts) / lengthMs);

/** Start of the latest window of a span that contains a time; for two weeks, the previous window also contains it. */
export function startOf(span: Span, lengthMs: number, at: number): number {
  const every = span === 'FORTNIGHT' ? WEEK_MS : lengthMs;
  // The remainder operator is ten times slower for numbers this large.
  return Math.floor(at / every) * every;
}
