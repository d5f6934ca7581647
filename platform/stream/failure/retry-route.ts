import type { LogRecord, StoredRecord } from '#platform/event-log/port.ts';
import type { AuditHeaders, FailureHeaders } from '#schemas/topics.ts';
import type { FailureCode, StepName } from '#schemas/vocabulary.ts';
import type { Failure } from './outcome.ts';

/**
 * Where failed records go: each retry topic in turn, then the dead letters. There is one attempt more than retry
 * topics.
 */
export interface RetryRoute {
  readonly retries: readonly { readonly topic: string; readonly delayMs: number }[];
  readonly deadLetters: string;
}

/** One entry of the `steps` header. */
export interface Step {
  readonly name: StepName;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly attempt?: number;
  readonly reason?: FailureCode;
}

/** Delay of a retry topic in ms; undefined for the main topics. */
export const delayOf = (route: RetryRoute | undefined, topic: string): number | undefined =>
  route?.retries.find((retry) => retry.topic === topic)?.delayMs;

/** True when a failure worth a retry has no retry left after `topic`. */
export const isLastAttempt = (route: RetryRoute, topic: string): boolean =>
  nextRetry(route, topic) === undefined;

function nextRetry(route: RetryRoute, topic: string): RetryRoute['retries'][number] | undefined {
  return route.retries[route.retries.findIndex((retry) => retry.topic === topic) + 1];
}

/**
 * The record as forwarded after a failure: key, bytes and headers unchanged except for attempt, steps and the failure's
 * own headers. `attempt` is also incremented on the way to the dead letters, so attempts started = attempt - 1
 * everywhere. `now`, `startedAt`: Unix ms.
 */
export function failedRecord(
  route: RetryRoute,
  record: StoredRecord,
  failure: Failure,
  toDeadLetters: boolean,
  times: { readonly now: number; readonly startedAt: number },
): LogRecord {
  const retry = toDeadLetters ? undefined : nextRetry(route, record.topic);
  const attempt = attemptOf(record.headers);
  const started: Step = { name: 'ANALYZING', at: iso(failure.startedAt ?? times.startedAt), attempt };
  const ended: Step = {
    name: retry === undefined ? 'DEAD_LETTERED' : 'RETRYING',
    at: iso(times.now),
    attempt,
    reason: failure.code,
  };
  const steps = JSON.stringify([...stepsOf(record.headers), started, ended]);
  const { 'x-due-ts': _passed, ...headers } = record.headers;
  const changed: Pick<AuditHeaders, 'attempt' | 'steps'> & FailureHeaders = {
    ...origin(route, record, times.now),
    attempt: String(attempt + 1),
    steps,
    'x-failure-code': failure.code,
    'x-error-class': failure.errorClass,
    'x-error-stage': failure.stage,
    ...(retry === undefined ? {} : { 'x-due-ts': String(times.now + retry.delayMs) }),
  };
  return {
    topic: retry?.topic ?? route.deadLetters,
    key: record.key,
    value: record.value,
    headers: { ...headers, ...changed },
  };
}

/** Number of the record's current attempt, from 1. */
export function attemptOf(headers: Readonly<Record<string, string>>): number {
  const attempt = Number(headers.attempt);
  return Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1;
}

/** Steps so far. An unreadable header counts as none, because any record must be able to fail. */
export function stepsOf(headers: Readonly<Record<string, string>>): Step[] {
  try {
    const steps: unknown = JSON.parse(headers.steps ?? '[]');
    return Array.isArray(steps) ? steps : [];
  } catch {
    return [];
  }
}

type Origin = Pick<
  FailureHeaders,
  | 'x-first-failure-ts'
  | 'x-original-topic'
  | 'x-original-partition'
  | 'x-original-offset'
  | 'x-original-timestamp'
>;

/** Where the record first failed; kept across retries, reset when it restarts on a main topic. */
function origin(route: RetryRoute, record: StoredRecord, now: number): Origin {
  const here: Origin = {
    'x-first-failure-ts': String(now),
    'x-original-topic': record.topic,
    'x-original-partition': String(record.partition),
    'x-original-offset': String(record.offset),
    'x-original-timestamp': String(record.timestamp),
  };
  if (delayOf(route, record.topic) === undefined) return here;
  const kept = record.headers as Partial<Origin>;
  return Object.fromEntries(
    Object.entries(here).map(([name, value]) => [name, kept[name as keyof Origin] ?? value]),
  ) as unknown as Origin;
}

const iso = (at: number): string => new Date(at).toISOString();
