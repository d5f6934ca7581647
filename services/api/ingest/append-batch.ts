import { canonicalMembers } from '#core/evidence/canonical-json.ts';
import { AppendError, AppendFailure, type LogRecord } from '#platform/event-log/port.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { IdempotencyKey, Reservation } from '#platform/state/port.ts';
import type { ReadTriplet } from '../operations/read-item.ts';
import {
  type Accepted,
  admittedOf,
  isAccepted,
  payloadDigest,
  type SubmitDependencies,
  tripletRecord,
} from './seal-triplet.ts';

/** One attempt at a batch; others under the same Idempotency-Key may have preceded it. */
interface Attempt {
  readonly customerId: string;
  readonly reservation: Reservation;
  readonly idempotency: IdempotencyKey | null;
  readonly takenOver: boolean;
}

/** A triplet with its reservation. */
export interface Reserved {
  readonly read: ReadTriplet;
  readonly item: Accepted;
}

/** Why a record may not be in the log; null: it is there. */
export type Failure = AppendFailure | null;

const NOT_STARTED = new AppendFailure('the append was not started', true);
const UNKNOWN = new AppendFailure('the append may or may not have succeeded', false);

/**
 * Seals everything reserved and appends it in one call of the log. Failures of items are returned; a failure of the
 * whole is thrown. Either way the attempt is ended in the state, so that a repeat with the key may start at once and a
 * count that was certainly not used is released.
 */
export async function appendBatch(
  dependencies: SubmitDependencies,
  attempt: Attempt,
  reserved: readonly Reserved[],
  yieldTurn: YieldTurn,
): Promise<readonly Failure[]> {
  if (reserved.length === 0) return [];
  let failures: readonly Failure[] = reserved.map(() => NOT_STARTED);
  try {
    const records = await sealAll(dependencies, attempt, reserved, yieldTurn);
    failures = reserved.map(() => UNKNOWN);
    failures = await append(dependencies, records);
  } finally {
    if (failures.some((failure) => failure !== null)) await abandon(dependencies, attempt, failures);
  }
  return failures;
}

async function sealAll(
  dependencies: SubmitDependencies,
  { customerId, reservation }: Attempt,
  reserved: readonly Reserved[],
  yieldTurn: YieldTurn,
): Promise<LogRecord[]> {
  const admitted = admittedOf(customerId, reservation);
  const records: LogRecord[] = [];
  for (const { read, item } of reserved) {
    const { value, media } = read.sent;
    const canonical = { ...canonicalMembers(value as object), media };
    await yieldTurn();
    const digest = await payloadDigest(admitted.nonce, canonical, yieldTurn);
    await yieldTurn();
    records.push(await tripletRecord(dependencies, admitted, item, read.triplet, { digest, canonical }));
    await yieldTurn();
  }
  return records;
}

async function append(dependencies: SubmitDependencies, records: readonly LogRecord[]): Promise<Failure[]> {
  try {
    await dependencies.log.append(records);
    return records.map(() => null);
  } catch (error) {
    if (!(error instanceof AppendError)) throw error;
    return error.outcomes.map((outcome) => (outcome instanceof AppendFailure ? outcome : null));
  }
}

async function abandon(
  dependencies: SubmitDependencies,
  { customerId, reservation, idempotency, takenOver }: Attempt,
  failures: readonly Failure[],
): Promise<void> {
  const isUnused = (index: number): boolean => failures[index]?.certain === true;
  const accepted = reservation.items.filter(isAccepted);
  const unused = accepted.filter((_, index) => isUnused(index));
  const end = (ended: Reservation, certain: boolean): Promise<void> =>
    // If the state is down too, the lease expires by itself and the count stays, so the quota is never exceeded.
    dependencies.state.admission.abandon(customerId, ended, idempotency, certain).catch(() => undefined);
  // With a key the ids stay for the repeat, unless certainly no attempt left anything in the log.
  if (idempotency !== null) await end(reservation, !takenOver && unused.length === accepted.length);
  else if (unused.length > 0) await end({ ...reservation, items: unused }, true);
}
