/**
 * An error of a backing service or its adapter. `retryable`: nothing is wrong with the request; the service is down,
 * busy or full, and the same call may succeed later. A consumer then waits with its batch, and the API answers 503. Any
 * other error is a fault of the program or the data.
 */
export abstract class ServiceError extends Error {
  readonly retryable: boolean = true;
}

export const isRetryable = (error: unknown): boolean => error instanceof ServiceError && error.retryable;

/**
 * Stored data that cannot be read, however often it is retried. A consumer still waits with its batch, not ready, until
 * an operator restores the data; the API reports that they are damaged and asks for no retry.
 */
export abstract class DamagedData extends ServiceError {}
