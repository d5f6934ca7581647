/** A fault that is put into a copy of the sources, to check that the simulation finds it. */
export interface Mutant {
  /** What is wrong then, in a sentence. */
  readonly title: string;
  /** The beginning of the violation in a run that finds it: the name of the invariant, or more of it. */
  readonly breaks: string;
  /** Each must be found exactly once in its file: a mutant that no longer fits the sources proves nothing. */
  readonly changes: readonly {
    readonly file: string;
    readonly find: string | RegExp;
    readonly replace: string;
  }[];
}

/** Number of places of a text at which the change would be made. */
export const placesOf = (text: string, find: string | RegExp): number =>
  find instanceof RegExp
    ? [...text.matchAll(new RegExp(find.source, 'g'))].length
    : text.split(find).length - 1;
