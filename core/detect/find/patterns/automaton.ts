import { type Alphabet, EDGE, LINE_BREAK, OTHER, WORD } from './alphabet.ts';
import { ACCEPT, type Program } from './program.ts';
import type { Assertion } from './syntax.ts';

/** What the text after an offset implies about hits. */
export interface Knowledge {
  /**
   * ACCEPT, and the READ steps that consume the next character on the way to the end of a hit. One bit per step, 16 per
   * UTF-16 unit. A string, because it is the key of a state.
   */
  readonly bits: string;
  /** Kind of the character after the offset: OTHER, WORD, LINE_BREAK or EDGE. */
  readonly kindAfter: number;
}

/** Transitions by the symbol of the character before the offset, filled on first use. */
export interface State extends Knowledge {
  /** The state at the offset before that character. */
  readonly before: (State | undefined)[];
  /** 1 if a hit starts at the offset when that character precedes it. */
  readonly starts: number[];
}

/**
 * Reads a text backwards and knows at each offset which steps of the program can still complete a hit. A deterministic
 * automaton whose states are built on first use. It can serve any number of texts concurrently: states are immutable,
 * and an evicted one is built again.
 */
export interface Automaton {
  /** The state at the end of a text. */
  readonly atEnd: Knowledge;
  /** The cached or new state for this knowledge. */
  stateOf(known: Knowledge): State;
  /** Computes the transition of a state over a symbol; returns the state at the previous offset. */
  move(state: State, symbol: number): State;
  /** Whether a hit starts at this state's offset if the text starts there. */
  startsAtEdge(state: State): boolean;
  /** Total number of computed transitions, which cost extra work besides reading the characters. */
  made(): number;
  /** Number of cached states. */
  size(): number;
  forget(): void;
}

export function holdsBetween(assertion: Assertion, left: number, right: number): boolean {
  switch (assertion) {
    case 'TEXT_START':
      return left === EDGE;
    case 'TEXT_END':
      return right === EDGE;
    case 'LINE_START':
      return left === EDGE || left === LINE_BREAK;
    case 'LINE_END':
      return right === EDGE || right === LINE_BREAK;
    case 'WORD_EDGE':
      return (left === WORD) !== (right === WORD);
    case 'NO_WORD_EDGE':
      return (left === WORD) === (right === WORD);
  }
}

export const hasStep = ({ bits }: Knowledge, step: number): boolean =>
  ((bits.charCodeAt(step >>> 4) >>> (step & 15)) & 1) === 1;

/** Sets of steps as bits, 32 per word, so that most operations handle 32 steps at a time. */
type StepSet = Uint32Array;

function setOf(size: number, steps: readonly number[]): StepSet {
  const set = new Uint32Array(Math.ceil(size / 32));
  for (const step of steps) set[step >>> 5]! |= 1 << (step & 31);
  return set;
}

/** Index of the lowest set bit of a non-zero word. */
const lowest = (word: number): number => 31 - Math.clz32(word & -word);

/** The predecessors of each step; null if it has none. */
type Predecessors = readonly (Uint16Array | null)[];

function leadingTo(program: Program, leads: (step: number) => readonly number[]): Predecessors {
  const lists = program.steps.map((): number[] => []);
  program.steps.forEach((_, index) => {
    for (const target of leads(index)) lists[target]!.push(index);
  });
  return lists.map((list) => (list.length === 0 ? null : Uint16Array.from(list)));
}

const withPredecessors = (lists: Predecessors): StepSet =>
  setOf(
    lists.length,
    lists.flatMap((list, step) => (list === null ? [] : [step])),
  );

/** Adds to `closed` every step that reaches a known step without consuming a character. */
function closureOf(program: Program, closed: StepSet): (known: Knowledge, left: number) => void {
  const { steps } = program;
  const free = leadingTo(program, (index) => {
    const step = steps[index]!;
    return step.kind === 'SPLIT' ? [step.next, step.other] : step.kind === 'CHECK' ? [step.next] : [];
  });
  const hasFree = withPredecessors(free);
  const checked = steps.map((step) => (step.kind === 'CHECK' ? step.assertion : null));
  const waiting: number[] = [];
  return ({ bits, kindAfter: after }, left) => {
    for (let word = 0; word < closed.length; word++) {
      closed[word] = bits.charCodeAt(2 * word) | (bits.charCodeAt(2 * word + 1) << 16);
      for (let rest = closed[word]! & hasFree[word]!; rest !== 0; rest &= rest - 1) {
        waiting.push(32 * word + lowest(rest));
      }
    }
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      for (const before of free[step]!) {
        const bit = 1 << (before & 31);
        if ((closed[before >>> 5]! & bit) !== 0) continue;
        const assertion = checked[before]!;
        if (assertion !== null && !holdsBetween(assertion, left, after)) continue;
        closed[before >>> 5]! |= bit;
        if (free[before] !== null) waiting.push(before);
      }
    }
  };
}

/**
 * Adds to `reading` every READ step that leads to a step of `closed`, whatever it consumes. Most lead to the step that
 * was built right before them; those are computed by shifting all bits by one.
 */
function readersOf(program: Program, closed: StepSet, reading: StepSet): () => void {
  const { steps } = program;
  const nextOf = (index: number): number => {
    const step = steps[index]!;
    return step.kind === 'READ' ? step.next : NONE;
  };
  const neighbours = setOf(
    steps.length,
    steps.flatMap((_, index) => (index > 0 && nextOf(index) === index - 1 ? [index] : [])),
  );
  const others = leadingTo(program, (index) =>
    nextOf(index) === NONE || nextOf(index) === index - 1 ? [] : [nextOf(index)],
  );
  const hasOthers = withPredecessors(others);
  return () => {
    let carried = 0;
    for (let word = 0; word < closed.length; word++) {
      reading[word] = ((closed[word]! << 1) | carried) & neighbours[word]!;
      carried = closed[word]! >>> 31;
    }
    for (let word = 0; word < closed.length; word++) {
      for (let rest = closed[word]! & hasOthers[word]!; rest !== 0; rest &= rest - 1) {
        for (const before of others[32 * word + lowest(rest)]!) reading[before >>> 5]! |= 1 << (before & 31);
      }
    }
  };
}

const NONE = -1;

export function createAutomaton(program: Program, { inSets, kindOf }: Alphabet): Automaton {
  const { steps, start } = program;
  const closed = setOf(steps.length, []);
  const reading = setOf(steps.length, []);
  const closure = closureOf(program, closed);
  const readers = readersOf(program, closed, reading);
  const isStartClosed = (): boolean => ((closed[start >>> 5]! >>> (start & 31)) & 1) === 1;
  /** The READ steps that accept each symbol. */
  const taking: StepSet[] = [];
  const states = [OTHER, WORD, LINE_BREAK, EDGE].map(() => new Map<string, State>());
  const units = new Uint16Array(2 * reading.length);
  let size = 0;
  let made = 0;

  const stateOf = ({ bits, kindAfter: after }: Knowledge): State => {
    const known = states[after]!.get(bits);
    if (known !== undefined) return known;
    const state: State = { bits, kindAfter: after, before: [], starts: [] };
    states[after]!.set(bits, state);
    size++;
    return state;
  };
  const stepsTaking = (symbol: number): StepSet => {
    const takes = (index: number): boolean => {
      const step = steps[index]!;
      return step.kind === 'READ' && inSets[symbol]![step.set] === 1;
    };
    taking[symbol] ??= setOf(
      steps.length,
      steps.flatMap((_, index) => (takes(index) ? [index] : [])),
    );
    return taking[symbol];
  };
  /** The steps of `reading` that accept the symbol, and ACCEPT. */
  const bitsOf = (takers: StepSet): string => {
    for (let word = 0; word < reading.length; word++) {
      const kept = (reading[word]! & takers[word]!) | (word === 0 ? 1 << ACCEPT : 0);
      units[2 * word] = kept;
      units[2 * word + 1] = kept >>> 16;
    }
    return String.fromCharCode.apply(null, units as unknown as number[]);
  };

  return {
    atEnd: { bits: bitsOf(setOf(steps.length, [])), kindAfter: EDGE },
    stateOf,
    move: (state, symbol) => {
      made++;
      const kind = kindOf[symbol]!;
      closure(state, kind);
      state.starts[symbol] = isStartClosed() ? 1 : 0;
      readers();
      const before = stateOf({ bits: bitsOf(stepsTaking(symbol)), kindAfter: kind });
      state.before[symbol] = before;
      return before;
    },
    startsAtEdge: (state) => {
      closure(state, EDGE);
      return isStartClosed();
    },
    made: () => made,
    size: () => size,
    forget: () => {
      for (const kind of states) kind.clear();
      size = 0;
    },
  };
}
