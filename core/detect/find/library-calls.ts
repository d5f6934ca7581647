/** Libraries that take microseconds per candidate. */
export type Library = 'PHONE_NUMBERS' | 'ACCOUNT_NUMBERS';

/** Maximum number of candidates per library, for one text and everything hidden in it. */
export const MAX_CALLS = 256;

/**
 * The remaining library calls for one text. A detector without any left accepts what passes its own, cheaper
 * checks, so a text with thousands of candidates takes linear time and none of them is missed.
 */
export interface LibraryCalls {
  /** Takes one call; false if none is left. */
  take(library: Library): boolean;
}

export function libraryCalls(most = MAX_CALLS): LibraryCalls {
  const left: Record<Library, number> = { PHONE_NUMBERS: most, ACCOUNT_NUMBERS: most };
  return { take: (library) => left[library]-- > 0 };
}
