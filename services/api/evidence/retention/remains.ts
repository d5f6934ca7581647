import { REMEMBERED_MS } from '#platform/state/port.ts';
import type { SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import { DEAD_LETTERS, LEDGER } from '#schemas/topics.ts';

type Remains = SignalErasureShown['remains'][number];

const DAY_MS = 86_400_000;
const daysOf = ({ retentionMs }: { readonly retentionMs: number }): number => retentionMs / DAY_MS;

const EVENT_LOG: Remains = {
  in: 'EVENT_LOG',
  days: daysOf(LEDGER),
  what: 'The record of the signal: its columns in clear, its texts sealed under your key, and headers with sandbox, provider and model.',
};
const DEAD_LETTER: Remains = {
  in: 'DEAD_LETTERS',
  days: daysOf(DEAD_LETTERS),
  what: 'The record of the audit that failed, with its texts sealed under your key. It is not replayed any more.',
};
const STATE: Remains = {
  in: 'STATE',
  days: REMEMBERED_MS / DAY_MS,
  what: 'Of a signal that the platform sent itself: its columns and its sealed record, by which a repeat of the request is known, and its answer to an Idempotency-Key.',
};
const AROUND: readonly Remains[] = [
  {
    in: 'WAREHOUSE_FILES',
    days: 1,
    what: 'The row that the blank one hides, until the daily job deletes it, and its part some minutes longer.',
  },
  {
    in: 'FREE_PAGES',
    days: null,
    what: 'Pages of an embedded store that are free and were not overwritten yet.',
  },
  {
    in: 'DOWNLOADS',
    days: null,
    what: 'Exports, evidence packages and proofs that were downloaded before, and backups: the service cannot reach them.',
  },
  {
    in: 'INCIDENTS',
    days: null,
    what: 'What was written into incidents of the signal, with its risk level and codes: records of their own.',
  },
];

/** What is left of an erased signal, or of an audit that failed. */
export const remainsOf = (hadFailed: boolean): Remains[] => [
  ...(hadFailed ? [DEAD_LETTER] : [EVENT_LOG, STATE]),
  ...AROUND,
];
