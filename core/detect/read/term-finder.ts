/**
 * Finds many ASCII terms in one pass, case-insensitively, with an Aho-Corasick automaton in one flat table. The time
 * depends only on the length of the text, not on the number of terms or on the content.
 */
export type TermVisitor = (term: number, start: number, end: number) => void;
/** Visits the terms in a text. */
type TermFinder = (text: string, visit: TermVisitor) => void;

const ASCII = 128;

/** Numbers the letters of the terms from 1; 0 is every other character, which returns to the root. */
function alphabetOf(terms: readonly string[]): { classes: Uint8Array; size: number } {
  const classes = new Uint8Array(ASCII);
  let size = 1;
  for (const term of terms) {
    if (term === '' || term !== term.toLowerCase()) throw new Error('terms must be lower-case and not empty');
    for (let i = 0; i < term.length; i++) {
      const unit = term.charCodeAt(i);
      if (unit >= ASCII) throw new Error(`term ${term} is not ASCII`);
      if (classes[unit] === 0) classes[unit] = size++;
    }
  }
  for (let unit = 65; unit <= 90; unit++) classes[unit] = classes[unit + 32]!;
  return { classes, size };
}

/**
 * `terms` must be lower-case ASCII and not empty; throws otherwise. The finder calls `visit` with each term's index and
 * span, ordered by end, including overlapping terms. The automaton is built for the first text: that takes a tenth of a
 * second for all detectors' terms, and processes that only store do not need it.
 */
export function createTermFinder(terms: readonly string[]): TermFinder {
  const { classes, size } = alphabetOf(terms);
  const lengths = terms.map((term) => term.length);
  let automaton: Packed | undefined;
  const make = (): Packed => {
    const trie = trieOf(terms, classes, size);
    return packed(trie, size, link(trie, size));
  };

  return (text, visit) => {
    automaton ??= make();
    const { table, ending, firstHit } = automaton;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      state = unit < ASCII ? table[state * size + classes[unit]!]! : 0;
      if (state < firstHit) continue;
      for (const term of ending[state - firstHit]!) visit(term, i + 1 - lengths[term]!, i + 1);
    }
  };
}

interface Packed {
  readonly table: Uint16Array | Int32Array;
  /** From this state on, a term ends at every state. */
  readonly firstHit: number;
  /** The terms that end at each state from `firstHit` on. */
  readonly ending: readonly (readonly number[])[];
}

/**
 * Numbers the states at which terms end last, so that a comparison identifies them. Within both groups, states that
 * fewer letters lead to come first: ordinary text rarely leaves them, and together they fit into the CPU caches. The
 * table uses the smallest integers that fit, for the same reason.
 */
function packed({ next, ending }: Trie, size: number, byDepth: readonly number[]): Packed {
  const isHit = (state: number): boolean => ending[state]!.length > 0;
  const ordered = [...byDepth.filter((state) => !isHit(state)), ...byDepth.filter(isHit)];
  const numbers = new Int32Array(ending.length);
  for (const [number, state] of ordered.entries()) numbers[state] = number;
  const table = new (ending.length <= 2 ** 16 ? Uint16Array : Int32Array)(next.length);
  for (const [number, state] of ordered.entries()) {
    for (let letter = 0; letter < size; letter++) {
      table[number * size + letter] = numbers[next[state * size + letter]!]!;
    }
  }
  const hits = ordered.filter(isHit);
  return { table, firstHit: ending.length - hits.length, ending: hits.map((state) => ending[state]!) };
}

interface Trie {
  /** One row per state, one column per letter; 0 means no edge. */
  readonly next: Int32Array;
  /** The terms that end at each state. */
  readonly ending: number[][];
}

function trieOf(terms: readonly string[], classes: Uint8Array, size: number): Trie {
  const most = terms.reduce((sum, term) => sum + term.length, 1);
  const next = new Int32Array(most * size);
  const ending: number[][] = [[]];
  for (const [index, term] of terms.entries()) {
    let state = 0;
    for (let i = 0; i < term.length; i++) {
      const slot = state * size + classes[term.charCodeAt(i)]!;
      if (next[slot] === 0) next[slot] = ending.push([]) - 1;
      state = next[slot]!;
    }
    ending[state]!.push(index);
  }
  return { next: next.subarray(0, ending.length * size), ending };
}

/**
 * Turns the trie into an automaton: every missing edge leads to the state of the longest proper suffix. Returns the
 * states ordered by depth.
 */
function link({ next, ending }: Trie, size: number): readonly number[] {
  const fallback = new Int32Array(ending.length);
  const queue: number[] = [];
  for (let letter = 1; letter < size; letter++) {
    if (next[letter]! !== 0) queue.push(next[letter]!);
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head]!;
    const suffix = fallback[state]!;
    ending[state]!.push(...ending[suffix]!);
    for (let letter = 1; letter < size; letter++) {
      const slot = state * size + letter;
      const viaSuffix = next[suffix * size + letter]!;
      if (next[slot] === 0) {
        next[slot] = viaSuffix;
      } else {
        fallback[next[slot]!] = viaSuffix;
        queue.push(next[slot]!);
      }
    }
  }
  return [0, ...queue];
}
