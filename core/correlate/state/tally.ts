import { noEvidence } from '../evidence.ts';
import { DAY_MS, DAY_PARTS, FORTNIGHT_MS, FORTNIGHT_PARTS, WEEK_MS } from '../rules.ts';
import type { Key, Span, Tally, Window } from './shapes.ts';

export const spanLength = (span: Span, windowMs: number): number =>
  span === 'SHORT' ? windowMs : span === 'DAY' ? DAY_MS : FORTNIGHT_MS;

/** Of all tallies without parts: nobody writes to it. */
const NO_PARTS: number[] = [];

/** The tally of a key in a window, a new one where there is none. */
export function tallyOf(key: Key, window: Window, minSignals: number): Tally {
  const { tallies } = key;
  const known = tallies.get(window);
  if (known !== undefined) return known;
  const tally: Tally = {
    key,
    window,
    evidence: noEvidence(),
    total: 0,
    parts: partsOf(key, window),
    partTotals: window.span === 'FORTNIGHT' ? new Array<number>(FORTNIGHT_PARTS).fill(0) : NO_PARTS,
    look: minSignals,
  };
  tallies.set(window, tally);
  window.tallies.push(tally);
  return tally;
}

export const openTally = (key: Key | undefined, window: Window): Tally | undefined =>
  key?.tallies.get(window);

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
