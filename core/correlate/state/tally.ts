import { NO_MEMBERS } from './evidence.ts';
import { DAY_MS, DAY_PARTS, FORTNIGHT_MS, FORTNIGHT_PARTS, WEEK_MS } from './rules.ts';
import type { Key, Span, Tally, Window } from './shapes.ts';

export const spanLength = (span: Span, windowMs: number): number =>
  span === 'SHORT' ? windowMs : span === 'DAY' ? DAY_MS : FORTNIGHT_MS;

/** Of all tallies without parts: nobody writes to it. */
const NO_PARTS: number[] = [];

/** The tally of a key in a window, a new one where there is none. */
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

/** By names that are written out: a property whose name is a variable is looked up anew each time. */
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

/** Signals count in the latest window, nearly always; of a span no more than `MAX_OPEN_WINDOWS` are open. */
export function openTally(key: Key, window: Window): Tally | null {
  let tally = lastOf(key, window.span);
  while (tally !== null && tally.window !== window) tally = tally.before;
  return tally;
}

/** Takes a tally from its key; its window goes as a whole. */
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

/** Which part of its window a time is in. */
export const partOf = ({ start, lengthMs }: Window, parts: number, at: number): number =>
  Math.floor(((at - start) * parts) / lengthMs);

/** Beginning of the latest window of a span that a time is in; the one before it overlaps where windows begin oftener. */
export function startOf(span: Span, lengthMs: number, at: number): number {
  const every = span === 'FORTNIGHT' ? WEEK_MS : lengthMs;
  // A remainder of numbers this large costs ten times as much.
  return Math.floor(at / every) * every;
}
