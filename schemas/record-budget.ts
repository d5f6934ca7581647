/** What the records of one customer may take in the state. Nobody's is without end. */
export interface RecordBudget {
  /** New versions of sandboxes in a UTC day; a deletion is counted and never refused. */
  readonly versionsPerDay: number;
  /** Sandboxes ever made: a deleted one keeps its slug, and signals name it. */
  readonly sandboxesEver: number;
  /** API keys ever made: a revoked one stays in the list. */
  readonly apiKeysEver: number;
  /** Sandboxes with their versions, deleted ones too, and API keys, as they are stored. */
  readonly storedBytes: number;
}
