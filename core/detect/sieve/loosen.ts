import type { Tree } from '../patterns/syntax.ts';

/** Repetitions that are counted up to so many keep their number. */
const COUNTED = 3;

const NOTHING: Tree = { kind: 'sequence', parts: [] };

/**
 * The same pattern with every larger repetition unlimited, and what must stand ahead at its end taken into it: it
 * matches wherever the pattern matches, and its automaton has few states. `isLast`: nothing of the pattern follows.
 */
export function loosened(tree: Tree, isLast = true): Tree {
  switch (tree.kind) {
    case 'set':
    case 'assertion':
      return tree;
    case 'ahead':
      return isLast ? loosened(tree.body) : NOTHING;
    case 'sequence': {
      const last = tree.parts.length - 1;
      return { kind: 'sequence', parts: tree.parts.map((part, at) => loosened(part, isLast && at === last)) };
    }
    case 'choice':
      return { kind: 'choice', options: tree.options.map((option) => loosened(option, isLast)) };
    case 'repeat':
      return {
        ...tree,
        body: loosened(tree.body, false),
        min: Math.min(tree.min, COUNTED),
        max: tree.max > COUNTED ? Infinity : tree.max,
      };
  }
}

/** The most characters that a match has, with what must stand ahead. */
export function longestOf(tree: Tree): number {
  switch (tree.kind) {
    case 'set':
      return 1;
    case 'assertion':
      return 0;
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + longestOf(part), 0);
    case 'choice':
      return Math.max(...tree.options.map(longestOf));
    case 'ahead':
      return longestOf(tree.body);
    case 'repeat': {
      const body = longestOf(tree.body);
      return body === 0 ? 0 : body * tree.max;
    }
  }
}
