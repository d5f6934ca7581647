import type { Alphabet } from './alphabet.ts';
import type { Automaton, Knowledge, State } from './automaton.ts';
import { type BlockRecord, forwardWalker, NONE, type Span, type Walk } from './forward.ts';
import type { Program } from './program.ts';
import { codePointBefore, unitsOf, wholeOffset } from './text-offsets.ts';

/**
 * Finds the non-empty, non-overlapping hits in a text, in order. It stops after `most` hits, and the last of these
 * extends to the end of the text.
 */
export type HitFinder = (text: string, most: number, mayContain?: MayContainHit) => Span[];

/**
 * Whether a hit may lie in a span of the text; spans that return false are not read. Called with spans whose ends
 * approach the start of the text.
 */
export type MayContainHit = (from: number, until: number) => boolean;

/** Code units per block; the states of all its offsets are in memory at once. */
const BLOCK = 512;
/** At the end of a block, a cache with more states than this is cleared. */
const MAX_STATES = 256;
/** The same limit between two texts. */
const KEPT_STATES = 32;

interface Block extends Span {
  readonly atEnd: Knowledge;
  /** Whether a hit starts at one of its offsets, from `start` to before `end`. */
  hasStart: boolean;
}

/**
 * Finds what JavaScript's `matchAll` finds, leftmost first. Trying each offset separately could read to the end of the
 * text every time, so two passes keep the time linear in any text. The first pass reads the whole text backwards and
 * records for each block the state at its end and whether a hit starts in it. The second pass reads forward through the
 * relevant blocks. With the states of all offsets in memory, it knows at each choice which branch leads to the end of a
 * hit.
 */
export function createHitFinder(program: Program, alphabet: Alphabet, automaton: Automaton): HitFinder {
  const skipBack = backwardSkipper(alphabet, automaton);
  const readBack = backwardReader(alphabet, automaton);
  const walkOn = forwardWalker(program, alphabet);

  const nothingAfter = (text: string, offset: number): Knowledge => ({
    bits: automaton.atEnd.bits,
    kindAfter: alphabet.kindOf[alphabet.symbolOf(text.codePointAt(offset)!)]!,
  });

  return (text, most, mayContain) => {
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
        hasStart: false,
      };
      // Text after this block's start belongs to no hit that starts before it.
      if (mayContain?.(block.start, end) === false) known = nothingAfter(text, block.start);
      else known = skipBack(text, block, blocks.at(-1));
      blocks.push(block);
      end = block.start;
      endBlock();
    }
    const record: BlockRecord = { states: [], starts: new Uint8Array(Math.min(text.length, BLOCK) + 2) };
    const walk: Walk = { hits: [], most, offset: 0, from: 0, step: NONE };
    for (const block of blocks.toReversed()) {
      if (!block.hasStart && walk.step === NONE) {
        walk.offset = block.end;
        continue;
      }
      readBack(text, block, record);
      walkOn(text, block, record, walk);
      if (walk.hits.length === most) break;
      endBlock();
    }
    if (automaton.size() > KEPT_STATES) automaton.forget();
    return walk.hits;
  };
}

/** Reads a block backwards, recording only whether a hit starts in it. `after`: the following block. */
function backwardSkipper(alphabet: Alphabet, automaton: Automaton) {
  const { ascii } = alphabet;
  return (text: string, block: Block, after: Block | undefined): Knowledge => {
    const { start, end } = block;
    let state = automaton.stateOf(block.atEnd);
    let starts = 0;
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
      if (state.starts[symbol] === 1) {
        // The block's end is the first offset of the next block.
        if (offset < end) starts = 1;
        else if (after !== undefined) after.hasStart = true;
      }
      state = before;
      offset -= units;
    }
    block.hasStart = starts === 1 || (start === 0 && automaton.startsAtEdge(state));
    return { bits: state.bits, kindAfter: state.kindAfter };
  };
}

/** Records the states of all offsets of a block, including its end, and where hits start. */
function backwardReader(alphabet: Alphabet, automaton: Automaton) {
  return (text: string, { start, end, atEnd }: Block, { states, starts }: BlockRecord): void => {
    let state: State = automaton.stateOf(atEnd);
    for (let offset = end; ; ) {
      states[offset - start] = state;
      if (offset === 0) {
        starts[0] = automaton.startsAtEdge(state) ? 1 : 0;
        return;
      }
      const codePoint = codePointBefore(text, offset);
      const symbol = alphabet.symbolOf(codePoint);
      const before: State = state.before[symbol] ?? automaton.move(state, symbol);
      starts[offset - start] = state.starts[symbol]!;
      if (offset === start) return;
      state = before;
      offset -= unitsOf(codePoint);
    }
  };
}
