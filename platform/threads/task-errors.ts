import { ServiceError } from '#platform/flow/service-error.ts';
import { receiveError, type SentError } from './calls.ts';

/** A task did not finish in time, and its thread was terminated. Another thread would not do better. */
export class TaskTimedOut extends Error {
  constructor(timeoutMs: number) {
    super(`a task exceeded ${timeoutMs} ms, and its thread was terminated`);
    this.name = 'TaskTimedOut';
  }
}

/** A task threw, or killed its thread (out of memory). Names the error's class, never its message. */
export class TaskFailed extends Error {
  constructor(errorClass: string) {
    super(`a task failed in its thread: ${errorClass}`);
    this.name = 'TaskFailed';
  }
}

/**
 * Not the task's fault: too many tasks wait, no thread starts, or the pool is closed. The same task may succeed later.
 */
export class TasksUnavailable extends ServiceError {
  constructor(why: string) {
    super(`threads do not accept tasks: ${why}`);
    this.name = 'TasksUnavailable';
  }
}

/** Recreates an error of another thread's pool: only the class of an outage matters to callers. */
export function receiveTaskError(sent: SentError): Error {
  const isOutage = sent.name === 'TasksUnavailable' || sent.name === 'ThreadGone';
  return isOutage ? new TasksUnavailable(sent.message) : receiveError(sent);
}
