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
const writtenText = z.string().max(MAX_INCIDENT_TEXT).regex(/\S/, 'say something, or leave the field out');
const status = z.enum(INCIDENT_STATUSES);
const userRole = z.enum(USER_ROLES);

export const newIncident = z.object({
  signalId: z.string().min(1).max(64).meta({ description: 'audit id of the signal' }),
  title: z
    .string()
    .max(MAX_TITLE)
    .regex(/\S/, 'say something, or leave the field out')
    .regex(SEEN, SAY_SEEN)
    .optional(),
  description: writtenText.optional(),
  dueAt: dateText
    .refine((text) => parseDate(text, true) !== null, 'Expected an ISO 8601 date or timestamp')
    .transform((text) => new Date(parseDate(text, true)!).toISOString())
    .optional()
    .meta({ description: 'until when it should be done; by default notifyBy' }),
});
export type NewIncident = z.output<typeof newIncident>;

export const incidentMove = z.object({
  status,
  userId: z
    .string()
    .max(MAX_USER_ID)
    .regex(/\S/, 'say who moves the incident, or with a session leave the field out')
    .regex(SEEN, SAY_SEEN)
    .optional()
    .meta({
      description:
        'who moves it: a name of your choice for the user. Names that read alike are one user: in any case, with spaces around them, and with letters of other alphabets. Required with an API key. With a session leave it out: the signed-in user moves the incident, and a value sent here is ignored',
    }),
  userRole,
  comment: writtenText.optional(),
  resolution: writtenText
    .optional()
    .meta({ description: 'how it was resolved; taken with the status RESOLVED alone' }),
});
export type IncidentMove = z.output<typeof incidentMove>;

const change = z.object({
  at: isoTime,
  from: status.nullable().meta({ description: 'null: it was opened' }),
  to: status,
  userId: z.string().nullable().meta({ description: '`system`: a policy opened it' }),
  userRole: userRole.nullable(),
  assertedByKeyId: z.string().nullable().meta({
    description:
      'API key whose holder says that it was this user; `user:` and an id: that user was signed in; null: the service',
  }),
  comment: z.string().nullable(),
  leafIndex: z.int().nullable().meta({
    description:
      'place of the entry in the hash chain; null while it is not stored, and in answers to POST and PATCH',
  }),
});

const move = z.object({
  to: status,
  roles: z.array(userRole).meta({ description: 'the roles that may make it' }),
  blockedUserIds: z
    .array(z.string())
    .meta({ description: 'users who may not make it, for what they did before' }),
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
    .meta({ description: '`user:` and an id: that user, signed in; null: a policy opened it' }),
  investigatorId: z.string().nullable(),
  resolverId: z.string().nullable(),
  verifierId: z.string().nullable(),
  closerId: z.string().nullable(),
  resolution: z.string().nullable(),
  version: z.int(),
  dueAt: isoTime.nullable(),
  notifyBy: isoTime.nullable().meta({
    description:
      'the earliest deadline for telling others, by the regulations of sandbox and signal: GDPR 72 hours, EU_AI_ACT 15 days, HIPAA 60 days; null: they have none',
  }),
  moves: z.array(move).meta({ description: 'where it can be moved now' }),
};

export const listedIncident = z.object(fields).meta({ id: 'ListedIncident' });
export type ListedIncident = z.output<typeof listedIncident>;
export const incident = z
  .object({ ...fields, history: z.array(change) })
  .meta({ id: 'Incident', description: 'An incident; the oldest of its history first' });
export type Incident = z.output<typeof incident>;

const success = z.literal(true);
const one = z.object({ success, data: incident });

export const createIncident = defineRoute({
  ...endpoints.createIncident,
  operationId: 'createIncident',
  summary: 'Opens an incident on a signal',
  description:
    'A signal has one incident at a time: while one has not ended (CLOSED or DISMISSED), it is answered with 200 and nothing is made.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  body: newIncident,
  idempotent: true,
  successStatus: 201,
  responses: {
    200: one.meta({ description: 'The incident of the signal that is there.' }),
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
  summary: 'Incidents of the customer, newest first; filters combine with AND',
  description: 'Without their histories: `GET /evidence/incidents/{id}` shows one.',
  tag: 'evidence',
  auth: 'key',
  query: z.object({ ...incidentFilters, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(listedIncident), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getIncident = defineRoute({
  ...endpoints.getIncident,
  operationId: 'getIncident',
  summary: 'One incident with its history',
  description:
    '`moves` says where it can be moved, by which roles, and which users may not do so. Who a user is, and in which role, is what the holder of the API key says; `assertedByKeyId` names the key. A signed-in user is known by its session.',
  tag: 'evidence',
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
  summary: 'Moves an incident to another status',
  description: [
    'OPEN, INVESTIGATING, REMEDIATING (may be left out), RESOLVED, VERIFIED, CLOSED; DISMISSED for a false alarm. Whoever investigated, remedied or resolved in this round may not verify; who resolved may not close; who investigates may not dismiss; and nobody acts under two roles in one incident. CLOSED and DISMISSED can be reopened, which begins a new round.',
    'Each move is an entry of the hash chain. The first fault answers: body (400), unknown incident (404), status (400), role (403), segregation (403), version (409).',
  ].join('\n\n'),
  tag: 'evidence',
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
