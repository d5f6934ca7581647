/**
 * An error of a backing service, or of the adapter to one. `retryable`: nothing is wrong with the request, the service
 * is down, busy or full, and the same call may succeed later. A consumer then waits with its batch, and the API answers
 * 503; any other error is a fault of the program or of the data.
 */
export abstract class ServiceError extends Error {
  readonly retryable: boolean = true;
}

export const isRetryable = (error: unknown): boolean => error instanceof ServiceError && error.retryable;

/**
 * Stored data that cannot be read, however often. A consumer waits with its batch all the same, red, until an operator
 * has restored them; the API answers that they are damaged and asks for no retry.
 */
export abstract class DamagedData extends ServiceError {}
