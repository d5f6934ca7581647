import { type Alphabet, EDGE, OTHER } from '../patterns/alphabet.ts';
import { holdsBetween } from '../patterns/automaton.ts';
import { ACCEPT, type Program } from '../patterns/program.ts';

/** Maximum number of cached states; the others are rebuilt when needed. */
const MAX_STATES = 1_024;
/** In DEAD no match can be completed any more, in DONE a match is complete. Other states are numbered from FIRST. */
const [DEAD, DONE, FIRST] = [0, 1, 2];
/** Marks a transition that has not been computed yet. */
const UNKNOWN = -1;

/** All possible partial matches before the next character is consumed. */
interface State {
  /** Steps from which that character is consumed, before following steps that consume nothing. */
  readonly steps: readonly number[];
  /** Kind of the character before the offset: OTHER, WORD, LINE_BREAK or EDGE. */
  readonly kindBefore: number;
  /** Whether a match ends here if the text ends here; computed on demand. */
  endsThere?: boolean;
}

/** NONE: no match. OPEN: no match so far, but later text may complete one. */
export const [NONE, OPEN] = [-1, -2] as const;

/**
 * The end of the first match that starts at `from`, or anywhere after it, as far as the characters before `until`
 * decide it; otherwise `NONE` or `OPEN`. A match is recognised at the character after it, or at the end of the text.
 */
export type Reader = (text: string, from: number, until: number) => number;

/** The READ steps reached without consuming a character; null if the end of a match is reached. */
type Closure = (state: State, kindAfter: number) => readonly number[] | null;

function closureOf({ steps }: Program): Closure {
  const seen = new Float64Array(steps.length);
  let round = 0;
  return ({ steps: from, kindBefore }, kindAfter) => {
    round++;
    const reading: number[] = [];
    const waiting = [...from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === ACCEPT) return null;
      if (seen[at] === round) continue;
      seen[at] = round;
      const step = steps[at]!;
      if (step.kind === 'READ') reading.push(at);
      else if (step.kind === 'SPLIT') waiting.push(step.other, step.next);
      else if (step.kind === 'CHECK' && holdsBetween(step.assertion, kindBefore, kindAfter))
        waiting.push(step.next);
    }
    return reading;
  };
}

interface ReaderOptions {
  /** Matches may start anywhere, not only where reading starts. */
  readonly anywhere: boolean;
  /** Characters are code points. */
  readonly unicode: boolean;
}

/** The states built so far, and the transitions between them: `moves[state * width + symbol]`. */
interface Table {
  readonly states: State[];
  readonly names: Map<string, number>;
  /** The initial state for each kind of preceding character. */
  readonly initial: number[];
  readonly width: number;
  moves: Int32Array;
}

const emptyTable = (width: number): Table => ({
  states: [
    { steps: [], kindBefore: OTHER },
    { steps: [], kindBefore: OTHER },
  ],
  names: new Map(),
  initial: [],
  width,
  moves: new Int32Array(16 * width).fill(UNKNOWN),
});

function stateOf(table: Table, steps: readonly number[], kindBefore: number): number {
  const { states, names, width } = table;
  const name = String.fromCharCode(kindBefore, ...steps);
  let state = names.get(name);
  if (state !== undefined) return state;
  state = states.push({ steps, kindBefore }) - 1;
  names.set(name, state);
  if (states.length * width > table.moves.length) {
    const larger = new Int32Array(2 * table.moves.length).fill(UNKNOWN);
    larger.set(table.moves);
    table.moves = larger;
  }
  return state;
}

/**
 * Reads texts with a deterministic automaton whose states are built on first use, in a few nanoseconds per character. A
 * reader serves any number of texts, one after the other.
 */
export function createReader(
  program: Program,
  alphabet: Alphabet,
  { anywhere, unicode }: ReaderOptions,
): Reader {
  const { steps, start, looksAround } = program;
  const { ascii, symbolOf, inSets, kindOf } = alphabet;
  const closure = closureOf(program);
  const kindFor = (kind: number): number => (looksAround ? kind : OTHER);
  let table = emptyTable(inSets.length);

  const after = (state: State, symbol: number): number => {
    const kind = kindOf[symbol]!;
    const reading = closure(state, kind);
    if (reading === null) return DONE;
    const next = new Set<number>(anywhere ? [start] : []);
    for (const at of reading) {
      const step = steps[at]!;
      if (step.kind === 'READ' && inSets[symbol]![step.set] === 1) next.add(step.next);
    }
    if (next.size === 0) return DEAD;
    const ordered = [...next].sort((a, b) => a - b);
    return stateOf(table, ordered, kindFor(kind));
  };
  /** The state after the next character, if its transition is not cached. */
  const make = (state: number, symbol: number): number => {
    const next = after(table.states[state]!, symbol);
    // A symbol first seen in this text has no column yet.
    if (symbol < table.width) table.moves[state * table.width + symbol] = next;
    return next;
  };
  const initialState = (text: string, from: number): number => {
    if (table.states.length > MAX_STATES || inSets.length > table.width) table = emptyTable(inSets.length);
    const kind = from === 0 ? EDGE : kindOf[symbolOf(text.charCodeAt(from - 1))]!;
    table.initial[kind] ??= stateOf(table, [start], kindFor(kind));
    return table.initial[kind];
  };

  return (text, from, until) => {
    let state = initialState(text, from);
    let { moves } = table;
    const { width } = table;
    for (let i = from; i < until; i++) {
      let unit = text.charCodeAt(i);
      if (unicode && unit >= 0xd800) {
        unit = text.codePointAt(i)!;
        if (unit > 0xffff) i++;
      }
      const symbol = unit < 128 ? ascii[unit]! : symbolOf(unit);
      const known = symbol < width ? moves[state * width + symbol]! : UNKNOWN;
      if (known === UNKNOWN) {
        state = make(state, symbol);
        moves = table.moves;
      } else state = known;
      if (state < FIRST) return state === DONE ? i : NONE;
    }
    if (until < text.length) return OPEN;
    const last = table.states[state]!;
    last.endsThere ??= closure(last, EDGE) === null;
    return last.endsThere ? until : NONE;
  };
}
