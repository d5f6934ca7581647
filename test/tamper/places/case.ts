/** How something is changed from outside of the service. */
export const CHANGES = ['changed', 'removed', 'older'] as const;
export type Change = (typeof CHANGES)[number];

/** What is changed in one place; of several at once, each in another entry of the ledger. */
export interface Part {
  /** A column or a field, or what is removed or older as a whole. */
  readonly what: string;
  /** The entry that is changed, by which a check can say which of the parts it has found; null: not known. */
  readonly index: number | null;
}

/** Changes from outside, and how they are undone to the byte. */
export interface Case {
  /** A table, a collection of the state, or a file. */
  readonly place: string;
  readonly parts: readonly Part[];
  readonly change: Change;
  /** What is asked again: what reads this place, as `withReads` notes it; null: everything. */
  readonly readAs: string | null;
  /** Writes to the state's file before it is opened; each case has a copy. */
  readonly changeState?: (file: string) => Promise<void>;
  /** Of another place than the state. */
  readonly apply?: () => Promise<void>;
  readonly undo?: () => Promise<void>;
}
