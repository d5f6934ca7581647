/**
 * Finds many ASCII terms in one pass, case-insensitively, with an Aho-Corasick automaton in one flat table. The time
 * depends only on the length of the text, not on the number of terms or on the content.
 */
export type TermVisitor = (term: number, start: number, end: number) => void;
/**
 * Walks through a piece of a text that begins at `base`. `state`: the result of the walk through the previous piece, 0
 * at first; so terms are found across pieces.
 */
type TermFinder = (piece: string, base: number, state: number, visit: TermVisitor) => number;

const ASCII = 128;

/** Letters of the terms, numbered from 1; 0 is every other character, which returns to the root. */
function alphabetOf(terms: readonly string[]): { classes: Uint8Array; size: number } {
  const classes = new Uint8Array(ASCII);
  let size = 1;
  for (const term of terms) {
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
 * `terms` are lower-case ASCII and not empty; throws otherwise. The finder calls `visit` with the term's index and its
 * place, ordered by end; overlapping terms are all reported.
 */
export function createTermFinder(terms: readonly string[]): TermFinder {
  const { classes, size } = alphabetOf(terms);
  const states = terms.reduce((sum, term) => sum + term.length, 1);
  const next = new Int32Array(states * size);
  const ending: number[][] = Array.from({ length: states }, () => []);
  let used = 1;
  terms.forEach((term, index) => {
    if (term === '' || term !== term.toLowerCase()) throw new Error('terms are lower-case and not empty');
    let state = 0;
    for (let i = 0; i < term.length; i++) {
      const slot = state * size + classes[term.charCodeAt(i)]!;
      if (next[slot] === 0) next[slot] = used++;
      state = next[slot]!;
    }
    ending[state]!.push(index);
  });
  link(next, ending, size);
  const lengths = terms.map((term) => term.length);
  const hit = Uint8Array.from(ending, (list) => (list.length > 0 ? 1 : 0));

  return (piece, base, from, visit) => {
    let state = from;
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      state = unit < ASCII ? next[state * size + classes[unit]!]! : 0;
      if (hit[state] === 1) {
        for (const term of ending[state]!) visit(term, base + i + 1 - lengths[term]!, base + i + 1);
      }
    }
    return state;
  };
}

/** Turns the trie into an automaton: every missing edge leads to the state of the longest proper suffix. */
function link(next: Int32Array, ending: number[][], size: number): void {
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
}
