import { PatternFault } from './fault.ts';
import { setTest } from './sets.ts';
import type { Assertion, Tree } from './syntax.ts';

/** Maximum number of steps of one pattern, which bounds the work per character of a text. */
const MAX_STEPS = 1_000;
/** Maximum tree nodes visited while building, because empty groups add no steps, however often they are repeated. */
const MAX_VISITS = 20_000;

/**
 * A step of the automaton (Thompson's construction). A text matches if `ACCEPT` is reached from `start`. `READ`
 * consumes one character of `set`, `SPLIT` tries `next` before `other`, `CHECK` checks the neighbours.
 */
type Step =
  | { readonly kind: 'READ'; readonly set: number; readonly next: number }
  | { readonly kind: 'SPLIT'; next: number; other: number }
  | { readonly kind: 'CHECK'; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: 'ACCEPT' };

export const ACCEPT = 0;

export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
  /** Tests for the sets that `READ` steps refer to. */
  readonly sets: readonly ((character: string) => boolean)[];
  readonly looksAround: boolean;
}

interface Builder {
  readonly mostSteps: number;
  readonly steps: Step[];
  readonly sets: string[];
  visits: number;
}

/** Throws `PatternFault` if the pattern is too large or a set is invalid. */
export function buildProgram(tree: Tree, flags: string, mostSteps: number = MAX_STEPS): Program {
  const builder: Builder = { mostSteps, steps: [{ kind: 'ACCEPT' }], sets: [], visits: 0 };
  const start = build(builder, tree, ACCEPT);
  const { steps, sets } = builder;
  return {
    steps,
    start,
    sets: sets.map((set) => setTest(set, flags)),
    looksAround: steps.some((step) => step.kind === 'CHECK'),
  };
}

function add(builder: Builder, step: Step): number {
  if (builder.steps.length > builder.mostSteps) throw tooLarge();
  return builder.steps.push(step) - 1;
}

const tooLarge = (): PatternFault =>
  new PatternFault('the pattern is too large; use fewer or shorter repetitions');

/** Adds the steps of `tree` before step `next`; returns the first one. */
function build(builder: Builder, tree: Tree, next: number): number {
  if (++builder.visits > MAX_VISITS) throw tooLarge();
  switch (tree.kind) {
    case 'set': {
      const known = builder.sets.indexOf(tree.set);
      const set = known === -1 ? builder.sets.push(tree.set) - 1 : known;
      return add(builder, { kind: 'READ', set, next });
    }
    case 'ahead':
      throw new PatternFault('look-ahead is not supported');
    case 'assertion':
      return add(builder, { kind: 'CHECK', assertion: tree.assertion, next });
    case 'sequence':
      return tree.parts.reduceRight((after, part) => build(builder, part, after), next);
    case 'choice':
      return tree.options
        .map((option) => build(builder, option, next))
        .reduceRight((other, first) => add(builder, { kind: 'SPLIT', next: first, other }));
    case 'repeat':
      return buildRepeat(builder, tree, next);
  }
}

function buildRepeat(builder: Builder, tree: Extract<Tree, { kind: 'repeat' }>, next: number): number {
  const { body, min, max, lazy } = tree;
  const split = (again: number, out: number): Step => ({
    kind: 'SPLIT',
    next: lazy ? out : again,
    other: lazy ? again : out,
  });
  let first = next;
  if (max === Infinity) {
    first = add(builder, split(next, next));
    // The body leads back to the split, so the split is added first and updated with the body's first step.
    builder.steps[first] = split(build(builder, body, first), next);
  } else {
    for (let copy = min; copy < max; copy++) first = add(builder, split(build(builder, body, first), next));
  }
  for (let copy = 0; copy < min; copy++) first = build(builder, body, first);
  return first;
}
