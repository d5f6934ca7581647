import { defineVersion } from './definition.ts';
import { count, listOf, nullable, oneOf, text, time } from './field-types.ts';

const STATUSES = ['active', 'revoked'] as const;

/** A version of an API key. It was emitted before cores of this kind had a `type`, and will never get one. */
const API_KEY_SHAPE = {
  core: {
    keyId: text,
    /** First characters of the key; no entry contains the key itself. */
    prefix: text,
    version: count,
    status: oneOf(...STATUSES),
  },
  detail: { name: text },
} as const;

/** A version of an auditor's token. */
const AUDITOR_SHAPE = {
  core: {
    type: oneOf('AUDITOR'),
    auditorId: text,
    prefix: text,
    version: count,
    status: oneOf(...STATUSES),
    permissions: listOf(text),
    /** null: all. */
    frameworks: nullable(listOf(text)),
    periodStart: nullable(time),
    periodEnd: nullable(time),
    expiresAt: time,
  },
  detail: { name: text, email: nullable(text) },
} as const;

/** Access at a point in time. Final, because it is emitted. */
export const KEY_EVENT_V1 = defineVersion({
  kind: 'KEY_EVENT',
  v: 1,
  shapes: [API_KEY_SHAPE, AUDITOR_SHAPE],
  stored: { core: 'OBJECTS', detail: 'OBJECTS' },
});
