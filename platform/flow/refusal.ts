import type { AllowedMoves, ErrorDetail } from '#schemas/api/errors.ts';
import { ERRORS, type ErrorCode } from '#schemas/errors.ts';

interface RefusalOptions extends ErrorOptions {
  readonly message?: string;
  readonly details?: readonly ErrorDetail[] | AllowedMoves;
  /** When the same request may succeed. */
  readonly retryAfterSeconds?: number;
}

/** The request is refused: a row of the error table, with a message that never quotes payload. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | AllowedMoves | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: ErrorCode, { message, details, retryAfterSeconds, ...options }: RefusalOptions = {}) {
    super(message ?? ERRORS[code].message, options);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** One fault of one field or parameter. */
export const invalid = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { message: `${path}: ${message}`, details: [{ path, message }] });

/** A required dependency does not answer. */
export const unavailable = (cause: unknown): Refusal =>
  new Refusal('UNAVAILABLE', { retryAfterSeconds: 1, cause });
