/** Libraries that take microseconds for each candidate that they judge. */
export type Library = 'PHONE_NUMBERS' | 'ACCOUNT_NUMBERS';

/** Maximum number of candidates that each library judges for one text and everything hidden in it. */
export const MAX_CALLS = 256;

/**
 * How many library calls are left for one text. A detector that gets none accepts what its own, cheaper checks let
 * through: a text of thousands of candidates costs no more than its length, and hides none of them.
 */
export interface LibraryCalls {
  /** Counts one call, if one is left. */
  take(library: Library): boolean;
}

export function libraryCalls(most = MAX_CALLS): LibraryCalls {
  const left: Record<Library, number> = { PHONE_NUMBERS: most, ACCOUNT_NUMBERS: most };
  return { take: (library) => left[library]-- > 0 };
}
