import type { Tree } from './syntax.ts';

/** Literals in lower case; every text in which the pattern matches contains one of each group. */
export type Groups = readonly (readonly string[])[];

/** More alternatives make the check too slow. */
const MAX_UNION = 32;
/** A single letter, digit or blank occurs in every text. */
const isSelective = (literal: string): boolean => literal.length > 1 || /[^\w\s]/.test(literal);

const CODE_POINT = /^\\u\{([0-9a-f]+)\}$/;
const ESCAPED_MARK = /^\\([^\w])$/;

/** The character of a set of one; null for others. */
function characterOf(set: string): string | null {
  const point = CODE_POINT.exec(set)?.[1];
  if (point !== undefined) return String.fromCodePoint(Number.parseInt(point, 16)).toLowerCase();
  return ESCAPED_MARK.exec(set)?.[1] ?? null;
}

const shortest = (group: readonly string[]): number => Math.min(...group.map(({ length }) => length));

/** Sorts the most selective groups first: those with longer literals, then those with fewer. */
export const mostSelective = (groups: Groups): Groups =>
  groups.toSorted((one, other) => shortest(other) - shortest(one) || one.length - other.length);

function ofSequence(parts: readonly Tree[]): Groups {
  const groups: (readonly string[])[] = [];
  let run = '';
  const endRun = (): void => {
    if (isSelective(run)) groups.push([run]);
    run = '';
  };
  for (const part of parts) {
    const character = part.kind === 'set' ? characterOf(part.set) : null;
    if (character !== null) {
      run += character;
      continue;
    }
    if (part.kind === 'assertion') continue;
    endRun();
    groups.push(...literalsOf(part));
  }
  endRun();
  return groups;
}

function ofChoice(options: readonly Tree[]): Groups {
  const union = new Set<string>();
  for (const option of options) {
    const group = mostSelective(literalsOf(option))[0];
    if (group === undefined) return [];
    for (const literal of group) union.add(literal);
  }
  return union.size > MAX_UNION ? [] : [[...union]];
}

export const isAscii = (literal: string): boolean => /^[\0-\x7f]+$/.test(literal);

/**
 * Prepares a lower-case text for a search with ASCII literals: case-insensitive patterns match this letter with an
 * ASCII one, but lower-casing leaves it unchanged.
 */
export const foldedForLiterals = (lower: string): string => lower.replaceAll('\u017f', 's');

/** The literals that a text must contain for the pattern to match, as far as literals can express it. */
export function literalsOf(tree: Tree): Groups {
  switch (tree.kind) {
    case 'set':
    case 'assertion':
      return [];
    case 'sequence':
      return ofSequence(tree.parts);
    case 'choice':
      return ofChoice(tree.options);
    case 'ahead':
      return literalsOf(tree.body);
    case 'repeat':
      return tree.min > 0 ? literalsOf(tree.body) : [];
  }
}
