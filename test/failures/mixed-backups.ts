/** Parts of an installation with separate backups. */
export type Part = 'state' | 'log' | 'warehouse' | 'keys' | 'packages';

export const STATE_OLDER =
  /The state is older than the ledger.*API key .*auditor .*cas migrate --accept-older-state/s;
const LOG_OLDER = /the log (ends at \d+: it was lost or recreated|was replaced).*cas migrate --new-epoch/s;

/**
 * The result of a start with some parts older than the others: the error message, or the ledger's verification status.
 * An older warehouse first folds the log again.
 */
export const MIXED: readonly (readonly [older: readonly Part[], outcome: RegExp | 'VALID' | 'INVALID'])[] = [
  [['state'], STATE_OLDER],
  [['log'], LOG_OLDER],
  [['warehouse'], 'VALID'],
  [['keys'], 'VALID'],
  [['packages'], 'VALID'],
  [['state', 'log'], LOG_OLDER],
  [['state', 'warehouse'], STATE_OLDER],
  [['state', 'keys'], STATE_OLDER],
  [['state', 'packages'], STATE_OLDER],
  [['log', 'warehouse'], 'INVALID'],
  [['log', 'keys'], LOG_OLDER],
  [['log', 'packages'], LOG_OLDER],
  [['warehouse', 'keys'], 'VALID'],
  [['warehouse', 'packages'], 'VALID'],
  [['keys', 'packages'], 'VALID'],
];
