import { type Alphabet, EDGE, OTHER } from './alphabet.ts';
import { hasStep, holdsBetween, type State } from './automaton.ts';
import type { Program } from './program.ts';
import { codePointBefore, unitsOf } from './text-offsets.ts';

/** A span of a text in UTF-16 code units, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What the backward pass recorded for the offsets of one block, relative to its start. */
export interface BlockRecord {
  readonly states: State[];
  /** 1 where a hit starts. */
  readonly starts: Uint8Array;
}

/** Not inside a hit. */
export const NONE = -1;

/** The progress of the forward pass. */
export interface Walk {
  readonly hits: Span[];
  /** Maximum number of hits; the last of them extends to the end of the text. */
  readonly most: number;
  offset: number;
  /** The step before the next character of the hit that started at `from`, or NONE. */
  step: number;
  from: number;
}

/** Continues through a span of the text, from hit to hit; returns the amount of work. */
type WalkOn = (text: string, span: Span, record: BlockRecord, walk: Walk) => number;

export function forwardWalker(program: Program, alphabet: Alphabet): WalkOn {
  const { steps, start: firstStep, looksAround } = program;
  const leafOf = leafFinder(program);
  const kindBefore = (text: string, offset: number): number => {
    if (offset === 0) return EDGE;
    return looksAround ? alphabet.kindOf[alphabet.symbolOf(codePointBefore(text, offset))]! : OTHER;
  };

  return (text, { start, end }, record, walk) => {
    let work = end - start;
    while (walk.offset < end || (walk.step !== NONE && end === text.length)) {
      const at = walk.offset - start;
      const units = unitsOf(text.codePointAt(walk.offset) ?? 0);
      if (walk.step === NONE && record.starts[at] === 1) {
        walk.from = walk.offset;
        walk.step = firstStep;
      }
      if (walk.step === NONE) {
        walk.offset += units;
        continue;
      }
      const leaf = leafOf(walk.step, record.states[at]!, kindBefore(text, walk.offset));
      work += leaf.work;
      const step = steps[leaf.step]!;
      walk.step = step.kind === 'READ' ? step.next : NONE;
      if (step.kind === 'READ' || walk.offset === walk.from) walk.offset += units;
      else if (pushHit(text, walk)) break;
    }
    return work;
  };
}

/** Returns true if this was the last hit wanted. */
function pushHit(text: string, { hits, most, from, offset: at }: Walk): boolean {
  const isLast = hits.length + 1 === most;
  hits.push({ start: from, end: isLast ? text.length : at });
  return isLast;
}

/** Finds the first READ or ACCEPT step after a step that leads to the end of a hit. */
function leafFinder({ steps }: Program) {
  const next = Int16Array.from(steps, (step) => (step.kind === 'ACCEPT' ? NONE : step.next));
  const other = Int16Array.from(steps, (step) => (step.kind === 'SPLIT' ? step.other : NONE));
  const checked = steps.map((step) => (step.kind === 'CHECK' ? step.assertion : null));
  const seen = new Float64Array(steps.length);
  const waiting = new Uint16Array(2 * steps.length);
  const leaf = { step: NONE, work: 0 };
  let round = 0;
  return (from: number, state: State, left: number): { readonly step: number; readonly work: number } => {
    round++;
    let count = 0;
    leaf.work = 0;
    waiting[count++] = from;
    while (count > 0) {
      const step = waiting[--count]!;
      if (seen[step] === round) continue;
      seen[step] = round;
      leaf.work++;
      const assertion = checked[step]!;
      if (other[step] !== NONE) {
        waiting[count++] = other[step]!;
        waiting[count++] = next[step]!;
      } else if (assertion !== null) {
        if (holdsBetween(assertion, left, state.kindAfter)) waiting[count++] = next[step]!;
      } else if (hasStep(state, step)) {
        leaf.step = step;
        return leaf;
      }
    }
    throw new Error('entered a state that cannot lead to a match');
  };
}
