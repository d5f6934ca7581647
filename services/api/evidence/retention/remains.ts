import { REMEMBERED_MS } from '#platform/state/port.ts';
import type { SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import { DEAD_LETTERS, LEDGER } from '#schemas/topics.ts';

type Remains = SignalErasureShown['remains'][number];

const DAY_MS = 86_400_000;
const daysOf = ({ retentionMs }: { readonly retentionMs: number }): number => retentionMs / DAY_MS;

const EVENT_LOG: Remains = {
  in: 'EVENT_LOG',
  days: daysOf(LEDGER),
  what: 'The record of the signal: columns in clear text, texts encrypted with your key, and headers with sandbox, provider and model.',
};
const DEAD_LETTER: Remains = {
  in: 'DEAD_LETTERS',
  days: daysOf(DEAD_LETTERS),
  what: 'The record of the failed audit, with texts encrypted with your key. It can no longer be replayed.',
};
const STATE: Remains = {
  in: 'STATE',
  days: REMEMBERED_MS / DAY_MS,
  what: 'For platform signals: columns and the encrypted record, used to detect repeated requests, and the response stored under an Idempotency-Key.',
};
const AROUND: readonly Remains[] = [
  {
    in: 'WAREHOUSE_FILES',
    days: 1,
    what: 'The replaced row, until the daily job deletes it, and its data part for some minutes more.',
  },
  {
    in: 'FREE_PAGES',
    days: null,
    what: 'Free pages of an embedded store that are not overwritten yet.',
  },
  {
    in: 'DOWNLOADS',
    days: null,
    what: 'Downloaded exports, evidence packages and proofs, and backups, which the service cannot reach.',
  },
  {
    in: 'INCIDENTS',
    days: null,
    what: 'Incidents of the signal: what was written into them, with risk level and codes.',
  },
];

/** What remains of an erased signal, or of a failed audit. */
export const remainsOf = (hadFailed: boolean): Remains[] => [
  ...(hadFailed ? [DEAD_LETTER] : [EVENT_LOG, STATE]),
  ...AROUND,
];
