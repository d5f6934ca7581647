/** Limits on one customer's records in the state. Every customer has limits. */
export interface RecordBudget {
  /** New versions of sandboxes, policies and settings per UTC day; a deletion counts but is never refused. */
  readonly versionsPerDay: number;
  /** Sandboxes ever created: a deleted one keeps its slug, because signals name it. */
  readonly sandboxesEver: number;
  /** API keys ever created: a revoked one stays in the list. */
  readonly apiKeysEver: number;
  /** Incidents ever opened: they are never removed. */
  readonly incidentsEver: number;
  /** Auditors ever created: a revoked one stays in the list. */
  readonly auditorsEver: number;
  /** Policies that are not deleted: every signal is compared with each of their rules. */
  readonly policies: number;
  /** Stored size of sandboxes with their versions, including deleted ones, of API keys, incidents, auditors, policies and settings. */
  readonly storedBytes: number;
}
