import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { MAX_INCIDENT_TEXT } from '../../ledger/incident-event.v1.ts';
import { INCIDENT_STATUSES, RISK_LEVELS, USER_ROLES } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { createdQuery, dateText, parseDate, withRange } from '../fields/dates.ts';
import { idParams, isoTime, nameFilter, SAY_SEEN, SEEN, uuid } from '../fields/fields.ts';
import { pageQuery, pagination } from '../fields/paging.ts';

const MAX_TITLE = 200;
const MAX_USER_ID = 128;
const writtenText = z
  .string()
  .max(MAX_INCIDENT_TEXT)
  .regex(/\S/, 'must not be blank; omit the field instead');
const status = z.enum(INCIDENT_STATUSES);
const userRole = z.enum(USER_ROLES);

export const newIncident = z.object({
  signalId: z.string().min(1).max(64).meta({ description: 'audit id of the signal' }),
  title: z
    .string()
    .max(MAX_TITLE)
    .regex(/\S/, 'must not be blank; omit the field instead')
    .regex(SEEN, SAY_SEEN)
    .optional(),
  description: writtenText.optional(),
  dueAt: dateText
    .refine((text) => parseDate(text, true) !== null, 'Expected an ISO 8601 date or timestamp')
    .transform((text) => new Date(parseDate(text, true)!).toISOString())
    .optional()
    .meta({ description: 'due date; default: notifyBy' }),
});
export type NewIncident = z.output<typeof newIncident>;

export const incidentMove = z.object({
  status,
  userId: z
    .string()
    .max(MAX_USER_ID)
    .regex(/\S/, 'required unless the request is made with a session')
    .regex(SEEN, SAY_SEEN)
    .optional()
    .meta({
      description:
        'user who makes the change: any name. Names that look alike count as one user (case, surrounding spaces, look-alike letters). Required with an API key; ignored with a session, which identifies the user',
    }),
  userRole,
  comment: writtenText.optional(),
  resolution: writtenText
    .optional()
    .meta({ description: 'how it was resolved; only with the status RESOLVED' }),
});
export type IncidentMove = z.output<typeof incidentMove>;

const change = z.object({
  at: isoTime,
  from: status.nullable().meta({ description: 'null: the incident was opened' }),
  to: status,
  userId: z.string().nullable().meta({ description: '`system`: a policy opened it' }),
  userRole: userRole.nullable(),
  assertedByKeyId: z.string().nullable().meta({
    description: 'API key used by this user; `user:` and an id: signed-in user; null: the service',
  }),
  comment: z.string().nullable(),
  leafIndex: z.int().nullable().meta({
    description: 'index of the entry in the ledger; null until stored, and in responses to POST and PATCH',
  }),
});

const move = z.object({
  to: status,
  roles: z.array(userRole).meta({ description: 'roles that can make this change' }),
  blockedUserIds: z
    .array(z.string())
    .meta({ description: 'users who cannot make this change (separation of duties)' }),
});

const fields = {
  id: uuid,
  customerId: uuid,
  signalId: z.string(),
  auditId: z.string(),
  status,
  severity: z.enum(RISK_LEVELS).meta({ description: 'risk level of the signal' }),
  violations: z.array(z.string()),
  title: z.string(),
  description: z.string().nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
  createdByKeyId: z
    .string()
    .nullable()
    .meta({ description: '`user:` and an id: signed-in user; null: opened by a policy' }),
  investigatorId: z.string().nullable(),
  resolverId: z.string().nullable(),
  verifierId: z.string().nullable(),
  closerId: z.string().nullable(),
  resolution: z.string().nullable(),
  version: z.int(),
  dueAt: isoTime.nullable(),
  notifyBy: isoTime.nullable().meta({
    description:
      'earliest legal notification deadline for the regulations of sandbox and signal: GDPR 72 hours, EU_AI_ACT 15 days, HIPAA 60 days; null: none',
  }),
  moves: z.array(move).meta({ description: 'possible status changes' }),
};

export const listedIncident = z.object(fields).meta({ id: 'ListedIncident' });
export type ListedIncident = z.output<typeof listedIncident>;
export const incident = z
  .object({ ...fields, history: z.array(change) })
  .meta({ id: 'Incident', description: 'An incident with its history, oldest first' });
export type Incident = z.output<typeof incident>;

const success = z.literal(true);
const one = z.object({ success, data: incident });

export const createIncident = defineRoute({
  ...endpoints.createIncident,
  operationId: 'createIncident',
  summary: 'Create an incident',
  description:
    'Opens an incident for a signal. If the signal already has one that is not CLOSED or DISMISSED, that one is returned with 200.',
  tag: 'Incidents',
  auth: 'key',
  costly: 'read',
  body: newIncident,
  idempotent: true,
  successStatus: 201,
  responses: {
    200: one.meta({ description: 'The existing incident of the signal.' }),
    201: one,
  },
  errors: ['NOT_FOUND', 'INCIDENT_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED', 'SIGNAL_INCIDENTS_REACHED'],
});

export const incidentFilters = {
  status: status.optional(),
  severity: z.enum(RISK_LEVELS).optional(),
  signalId: nameFilter,
  ...createdQuery,
};

export const listIncidents = defineRoute({
  ...endpoints.listIncidents,
  operationId: 'listIncidents',
  summary: 'List incidents',
  description: 'Newest first, without their history. Filters combine with AND.',
  tag: 'Incidents',
  auth: 'key',
  query: z.object({ ...incidentFilters, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(listedIncident), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getIncident = defineRoute({
  ...endpoints.getIncident,
  operationId: 'getIncident',
  summary: 'Get an incident',
  description:
    'Includes its history. `moves` lists the possible status changes, the roles that can make them and the users who cannot. Users and roles are as stated by the holder of the API key (`assertedByKeyId`); signed-in users are identified by their session.',
  tag: 'Incidents',
  auth: 'key',
  costly: 'read',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const moveIncident = defineRoute({
  ...endpoints.moveIncident,
  operationId: 'moveIncident',
  summary: 'Change the status of an incident',
  description: [
    'OPEN → INVESTIGATING → REMEDIATING (optional) → RESOLVED → VERIFIED → CLOSED, or DISMISSED for a false positive. CLOSED and DISMISSED incidents can be reopened, which starts a new round.',
    'Separation of duties applies within a round: users who investigated, remediated or resolved cannot verify; users who resolved cannot close; users who investigated cannot dismiss. A user can hold only one role per incident.',
    'Each change is recorded in the ledger. Errors are checked in this order: body (400), incident (404), status (400), role (403), separation of duties (403), version (409).',
  ].join('\n\n'),
  tag: 'Incidents',
  auth: 'key',
  params: idParams,
  body: incidentMove,
  idempotent: true,
  ifMatch: true,
  successStatus: 200,
  responses: { 200: one },
  errors: [
    'NOT_FOUND',
    'INVALID_STATUS_TRANSITION',
    'ROLE_NOT_ALLOWED',
    'SEGREGATION_OF_DUTIES',
    'VERSION_CONFLICT',
    'INCIDENT_OPEN',
    'TRANSITION_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
  ],
});
