import { NO_MEMBERS } from '../evidence.ts';
import { DAY_MS, DAY_PARTS, FORTNIGHT_MS, FORTNIGHT_PARTS, WEEK_MS } from '../rules.ts';
import type { Key, Span, Tallies, Tally, Window } from './shapes.ts';

export const spanLength = (span: Span, windowMs: number): number =>
  span === 'SHORT' ? windowMs : span === 'DAY' ? DAY_MS : FORTNIGHT_MS;

/** Of all tallies without parts: nobody writes to it. */
const NO_PARTS: number[] = [];

/** The tally of a key in a window, a new one where there is none. */
export function tallyOf(key: Key, window: Window, minSignals: number): Tally {
  const known = openTally(key, window);
  if (known !== undefined) return known;
  const tally: Tally = {
    key,
    window,
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
const openIn = ({ SHORT, DAY, FORTNIGHT }: Tallies, span: Span): Tally[] =>
  span === 'SHORT' ? SHORT : span === 'DAY' ? DAY : FORTNIGHT;

export function addTally(tally: Tally): void {
  const { key, window } = tally;
  const open = openIn(key.tallies, window.span);
  // As with members: most lists have one, and a push makes room for sixteen more.
  if (open.length === 0) key.tallies[window.span] = [tally];
  else open.push(tally);
  window.tallies.push(tally);
}

/** From both ends: signals count in the latest window, nearly always, and the oldest one is judged. */
export function openTally({ tallies }: Key, window: Window): Tally | undefined {
  const open = openIn(tallies, window.span);
  for (let first = 0, last = open.length - 1; first <= last; first += 1, last -= 1) {
    if (open[last]!.window === window) return open[last];
    if (open[first]!.window === window) return open[first];
  }
  return undefined;
}

/** Takes a tally from its key; its window goes as a whole. */
export function dropTally(tally: Tally): void {
  const open = openIn(tally.key.tallies, tally.window.span);
  // Mostly it is the oldest one, and a shift makes no list of what is gone.
  if (open[0] === tally) open.shift();
  else open.splice(open.indexOf(tally), 1);
}

/** Of all keys that have none in a span: nobody writes to it. */
const NO_TALLIES: Tally[] = [];

export const noTallies = (): Tallies => ({ SHORT: NO_TALLIES, DAY: NO_TALLIES, FORTNIGHT: NO_TALLIES });

export const areNone = ({ SHORT, DAY, FORTNIGHT }: Tallies): boolean =>
  SHORT.length === 0 && DAY.length === 0 && FORTNIGHT.length === 0;

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
