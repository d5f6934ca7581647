import { INCIDENT_STATUSES, RISK_LEVELS } from '../vocabulary.ts';
import { defineVersion } from './definition.ts';
import { count, listOf, nullable, objectOf, oneOf, text, textUpTo, time } from './field-types.ts';

const status = oneOf(...INCIDENT_STATUSES);
/** Maximum length of a person's text about an incident. */
export const MAX_INCIDENT_TEXT = 4_000;
const comment = textUpTo(MAX_INCIDENT_TEXT);

/**
 * A transition of an incident, with the whole record at that time except its history, so that one entry is enough to
 * read the incident's state as of a checkpoint.
 */
export const INCIDENT_EVENT_V1 = defineVersion({
  kind: 'INCIDENT_EVENT',
  v: 1,
  shapes: [
    {
      core: {
        incidentId: text,
        version: count,
        signalId: text,
        auditId: text,
        status,
        severity: oneOf(...RISK_LEVELS),
        violations: listOf(text),
        createdAt: time,
        updatedAt: time,
        /** null: opened by a policy. */
        createdByKeyId: nullable(text),
        dueAt: nullable(time),
        notifyBy: nullable(time),
        transition: objectOf({
          /** null: the incident was opened. */
          from: nullable(status),
          to: status,
          userRole: nullable(text),
          /** The key whose holder asserted the user; null for the service itself. */
          assertedByKeyId: nullable(text),
        }),
      },
      detail: {
        title: comment,
        description: nullable(comment),
        resolution: nullable(comment),
        investigatorId: nullable(text),
        resolverId: nullable(text),
        verifierId: nullable(text),
        closerId: nullable(text),
        /** The user who made the transition. */
        userId: nullable(text),
        comment: nullable(comment),
      },
    },
  ],
  stored: { core: 'OBJECTS', detail: 'OBJECTS' },
});
