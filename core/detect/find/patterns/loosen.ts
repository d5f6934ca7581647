import type { Tree } from './syntax.ts';

/** Larger counted repetitions become unlimited. */
const COUNTED = 3;

const NOTHING: Tree = { kind: 'sequence', parts: [] };

/**
 * The pattern with every larger repetition unlimited, and with a look-ahead at its end made part of it. It matches
 * wherever the pattern matches, and its automaton has few states. `isLast`: nothing of the pattern follows.
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

/** Maximum length of a match in characters, including look-ahead. */
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
