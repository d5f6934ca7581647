import { z } from 'zod';

/** Field types that several resources have. */

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A time in an answer: ISO 8601, UTC, milliseconds. */
export const isoTime = z.string().regex(ISO_TIME).meta({ description: 'ISO 8601, UTC, milliseconds' });

export const uuid = z.guid();

export const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Names that people give. */
export const displayName = z.string().min(1).max(128);

/** Lower case, words joined by single hyphens or underscores. */
export const SLUG_PATTERN = /^[a-z0-9]+([_-][a-z0-9]+)*$/;
export const sandboxSlug = z.string().min(2).max(64).regex(SLUG_PATTERN);

/** A path parameter that names a record. What is no id of a record is an unknown one: 404, never 400. */
export const idParams = z.object({ id: z.string() });

/** A single object is answered with its fields at the top level and once more under `data`. */
export const single = <Shape extends z.ZodRawShape>(record: z.ZodObject<Shape>) =>
  record.extend({ data: record });
