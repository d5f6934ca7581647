import type { Alphabet } from './alphabet.ts';
import type { Automaton, Knowledge, State } from './automaton.ts';
import { forwardWalker, NONE, type Places, type Span, type Walk } from './forward.ts';
import type { Program } from './program.ts';
import { codePointBefore, unitsOf, wholeOffset } from './text-offsets.ts';

/**
 * Finds the hits in a text, ordered, none empty, without overlaps. After `most` of them it stops, and the last one
 * extends to the end of the text.
 */
export type HitFinder = (text: string, most: number, mayHold?: MayHold) => Span[];

/**
 * Whether a hit may have a place in a span of the text; asked for spans whose ends come closer to the beginning. Where it
 * is false, the span is not read.
 */
export type MayHold = (from: number, until: number) => boolean;

/** The states of all places of a block are in memory at the same time. */
const BLOCK = 512;
/** When a block ends, the cache of states is cleared if it is larger than this. */
const MAX_STATES = 256;
/** The same limit between two texts. */
const KEPT_STATES = 32;

interface Block extends Span {
  readonly atEnd: Knowledge;
  /** Whether a hit begins at one of its places, from `start` to before `end`. */
  begins: boolean;
}

/**
 * Finds what JavaScript's `matchAll` finds, leftmost first. Two passes, so that the time is linear in the text whatever
 * it contains: trying each place on its own could read on to the end of the text from every one of them. The first pass
 * goes backwards through the whole text and records for each block what is known at its end, and whether a hit begins
 * in it. The second goes forward through the blocks that matter: with the states of all places in memory, it sees at
 * each choice which branch leads to the end of a hit.
 */
export function createHitFinder(program: Program, alphabet: Alphabet, automaton: Automaton): HitFinder {
  const skipBack = backwardSkipper(alphabet, automaton);
  const readBack = backwardReader(alphabet, automaton);
  const walkOn = forwardWalker(program, alphabet);

  const nothingAfter = (text: string, offset: number): Knowledge => ({
    bits: automaton.atEnd.bits,
    kindAfter: alphabet.kindOf[alphabet.symbolOf(text.codePointAt(offset)!)]!,
  });

  return (text, most, mayHold) => {
    const blocks: Block[] = [];
    const endBlock = (): void => {
      if (automaton.size() > MAX_STATES) automaton.forget();
    };

    let known = automaton.atEnd;
    for (let end = text.length; end > 0; ) {
      const block: Block = {
        start: wholeOffset(text, Math.max(0, end - BLOCK)),
        end,
        atEnd: known,
        begins: false,
      };
      // Whatever lies behind this block's beginning belongs to no hit that begins before it.
      if (mayHold?.(block.start, end) === false) known = nothingAfter(text, block.start);
      else known = skipBack(text, block, blocks.at(-1));
      blocks.push(block);
      end = block.start;
      endBlock();
    }
    const places: Places = { states: [], begins: new Uint8Array(Math.min(text.length, BLOCK) + 2) };
    const walk: Walk = { hits: [], most, offset: 0, from: 0, step: NONE };
    for (const block of blocks.toReversed()) {
      if (!block.begins && walk.step === NONE) {
        walk.offset = block.end;
        continue;
      }
      readBack(text, block, places);
      walkOn(text, block, places, walk);
      if (walk.hits.length === most) break;
      endBlock();
    }
    if (automaton.size() > KEPT_STATES) automaton.forget();
    return walk.hits;
  };
}

/** Goes back through a block, recording only whether a hit begins in it. `after`: the block after it. */
function backwardSkipper(alphabet: Alphabet, automaton: Automaton) {
  const { ascii } = alphabet;
  return (text: string, block: Block, after: Block | undefined): Knowledge => {
    const { start, end } = block;
    let state = automaton.stateOf(block.atEnd);
    let begins = 0;
    for (let offset = end; offset > start; ) {
      const unit = text.charCodeAt(offset - 1);
      let symbol = ascii[unit];
      let units = 1;
      if (symbol === undefined) {
        const codePoint = codePointBefore(text, offset);
        symbol = alphabet.symbolOf(codePoint);
        units = unitsOf(codePoint);
      }
      let before = state.before[symbol];
      if (before === undefined) before = automaton.move(state, symbol);
      if (state.begins[symbol] === 1) {
        // The place at the block's end is the first one of the next block.
        if (offset < end) begins = 1;
        else if (after !== undefined) after.begins = true;
      }
      state = before;
      offset -= units;
    }
    block.begins = begins === 1 || (start === 0 && automaton.beginsAtEdge(state));
    return { bits: state.bits, kindAfter: state.kindAfter };
  };
}

/** Records the states of all places of a block, its end included, and where hits begin. */
function backwardReader(alphabet: Alphabet, automaton: Automaton) {
  return (text: string, { start, end, atEnd }: Block, { states, begins }: Places): void => {
    let state: State = automaton.stateOf(atEnd);
    for (let offset = end; ; ) {
      states[offset - start] = state;
      if (offset === 0) {
        begins[0] = automaton.beginsAtEdge(state) ? 1 : 0;
        return;
      }
      const codePoint = codePointBefore(text, offset);
      const symbol = alphabet.symbolOf(codePoint);
      const before: State = state.before[symbol] ?? automaton.move(state, symbol);
      begins[offset - start] = state.begins[symbol]!;
      if (offset === start) return;
      state = before;
      offset -= unitsOf(codePoint);
    }
  };
}
