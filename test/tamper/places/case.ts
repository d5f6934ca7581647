/** Kinds of changes from outside the service. */
export const CHANGES = ['changed', 'removed', 'older'] as const;
export type Change = (typeof CHANGES)[number];

/** One of the changes of a case; with several, each is in a different ledger entry. */
export interface Part {
  /** A column or a field, or the whole that is removed or restored to an older version. */
  readonly what: string;
  /** The changed entry, by which a check says which of the parts it found; null if unknown. */
  readonly index: number | null;
}

/** Changes from outside, with an exact undo. */
export interface Case {
  /** A table, a collection of the state, or a file. */
  readonly place: string;
  readonly parts: readonly Part[];
  readonly change: Change;
  /** Repeats only the requests that read this place, as noted by `withReads`; null: all requests. */
  readonly readAs: string | null;
  /** Writes to the state's file before it is opened; each case has its own copy. */
  readonly changeState?: (file: string) => Promise<void>;
  /** For places other than the state. */
  readonly apply?: () => Promise<void>;
  readonly undo?: () => Promise<void>;
}
