import type { Batch, LogRecord, StoredRecord } from '#platform/event-log/port.ts';
import type { CountedRecord } from '../failure/dead-letter-limit.ts';
import type { Failure, Outcome } from '../failure/outcome.ts';
import { failedRecord, isLastAttempt, type RetryRoute } from '../failure/retry-route.ts';

/** The failure in an outcome, and whether the record goes to the dead letters. */
function failureOf(
  outcome: Outcome,
  topic: string,
  route: RetryRoute | undefined,
): { readonly failure: Failure; readonly last: boolean; readonly route: RetryRoute } | null {
  if (outcome.kind !== 'retry' && outcome.kind !== 'deadLetter') return null;
  if (route === undefined)
    throw new Error('a record failed, and this stream has no topic for failed records');
  return {
    failure: outcome.failure,
    last: outcome.kind === 'deadLetter' || isLastAttempt(route, topic),
    route,
  };
}

function checkNumber(batch: Batch, outcomes: readonly Outcome[]): void {
  if (outcomes.length !== batch.records.length)
    throw new Error(`${outcomes.length} outcomes for ${batch.records.length} records`);
}

/**
 * Each record that counts, with its owner and whether it goes to the dead letters. A key destroyed on purpose does not
 * indicate a fault of ours, and neither does a replay that fails again: its customer decides how many there are, and
 * the record was a dead letter before.
 */
export function deadLettersOf(
  batch: Batch,
  outcomes: readonly Outcome[],
  route: RetryRoute | undefined,
): CountedRecord[] {
  checkNumber(batch, outcomes);
  const counted: CountedRecord[] = [];
  for (const [i, outcome] of outcomes.entries()) {
    const record = batch.records[i] as StoredRecord;
    const failed = failureOf(outcome, batch.topic, route);
    const isDead = failed?.last === true;
    if (isDead && (failed.failure.code === 'KEY_DESTROYED' || isReplay(record))) continue;
    counted.push({ customerId: ownerOf(record), dead: isDead });
  }
  return counted;
}

/** Customers of the records that succeeded. */
export function ownersOfDone(batch: Batch, outcomes: readonly Outcome[]): string[] {
  const owners = batch.records.flatMap((record, i) => {
    const owner = outcomes[i]?.kind === 'ok' ? ownerOf(record) : null;
    return owner === null ? [] : [owner];
  });
  return [...new Set(owners)];
}

/** A record without a readable owner counts separately. */
const ownerOf = ({ headers }: StoredRecord): string | null => headers.customerId || null;

const isReplay = ({ headers }: StoredRecord): boolean => Number(headers.generation ?? 0) > 0;

/** The records that a batch forwards, in order. */
export function forwardsOf(
  batch: Batch,
  outcomes: readonly Outcome[],
  route: RetryRoute | undefined,
  times: { readonly now: number; readonly startedAt: number },
): LogRecord[] {
  checkNumber(batch, outcomes);
  return batch.records.flatMap((record, i) => {
    const outcome = outcomes[i] as Outcome;
    if (outcome.kind === 'ok') return outcome.forward ?? [];
    const failed = failureOf(outcome, batch.topic, route);
    return failed === null ? [] : [failedRecord(failed.route, record, failed.failure, failed.last, times)];
  });
}
