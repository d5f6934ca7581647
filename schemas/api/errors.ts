import { z } from 'zod';
import { INCIDENT_STATUSES } from '../vocabulary.ts';

/** One fault of a request: its path and description, never the value itself. */
const errorDetail = z.object({ path: z.string(), message: z.string() });
export type ErrorDetail = z.output<typeof errorDetail>;

/** The statuses to which the incident may change instead. */
const allowedMoves = z.object({ allowed: z.array(z.enum(INCIDENT_STATUSES)) });
export type AllowedMoves = z.output<typeof allowedMoves>;

const details = z
  .union([z.array(errorDetail), allowedMoves])
  .meta({ description: 'errors of single fields; for INVALID_STATUS_TRANSITION the allowed statuses' });

export const errorBody = z.object({
  statusCode: z.int(),
  message: z.string().meta({ description: 'what happened and what to do' }),
  error: z.string().meta({ description: 'name of the status' }),
  code: z.string().meta({ description: 'stable code' }),
  requestId: z.string(),
  details: details.optional(),
});
export type ErrorBody = z.output<typeof errorBody>;

/** RFC 9457, if the request's Accept header asks for it. */
export const problemBody = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  details: details.optional(),
});
export type ProblemBody = z.output<typeof problemBody>;
