/** A fault injected into a copy of the sources, to check that the simulation finds it. */
export interface Mutant {
  /** The resulting fault, in a sentence. */
  readonly title: string;
  /** Start of the violation in a run that finds it: at least the name of the invariant. */
  readonly breaks: string;
  /** Each must occur exactly once in its file: a mutant that no longer applies proves nothing. */
  readonly changes: readonly {
    readonly file: string;
    readonly find: string | RegExp;
    readonly replace: string;
  }[];
}

/** Number of matches in a text where the change would be made. */
export const matchesOf = (text: string, find: string | RegExp): number =>
  find instanceof RegExp
    ? [...text.matchAll(new RegExp(find.source, 'g'))].length
    : text.split(find).length - 1;
