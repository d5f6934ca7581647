import { z } from 'zod';
import * as endpoints from '../../../endpoints.ts';
import { AUDITOR_PERMISSIONS, FRAMEWORKS } from '../../../vocabulary.ts';
import { defineRoute } from '../../contract.ts';
import { createdQuery, dateText, parseDate, withRange } from '../../fields/dates.ts';
import { displayName, emailAddress, idParams, isoTime, single, uuid } from '../../fields/fields.ts';
import { pageQuery, pagination } from '../../fields/paging.ts';

/** Default lifetime of a token, and the maximum, in days. */
export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 365;
/** Maximum number of customers per token: each call reads the records of all of them. */
export const MAX_CUSTOMERS = 20;

/** ISO 8601 with milliseconds; a bare date means its first instant, or with `end` its last. */
const instant = (end: boolean) =>
  dateText
    .refine((text) => parseDate(text, end) !== null, 'Expected an ISO 8601 date or timestamp')
    .transform((text) => new Date(parseDate(text, end)!).toISOString())
    .optional();

const fields = {
  name: displayName,
  email: emailAddress.optional(),
  permissions: z
    .array(z.enum(AUDITOR_PERMISSIONS))
    .min(1)
    .max(AUDITOR_PERMISSIONS.length)
    .meta({ description: 'permissions of the auditor; each path requires one' }),
  frameworks: z.array(z.enum(FRAMEWORKS)).min(1).max(FRAMEWORKS.length).optional().meta({
    description: 'limits access to sandboxes with one of these regulations; default: no limit',
  }),
  periodStart: instant(false).meta({
    description: 'hides older signals and incidents',
  }),
  periodEnd: instant(true).meta({ description: 'hides newer signals and incidents' }),
  expiresAt: instant(true).meta({
    description: `when the token expires: after ${DEFAULT_DAYS} days by default, ${MAX_DAYS} at most`,
  }),
};

const isPeriod = ({
  periodStart = '',
  periodEnd = '9999',
}: {
  readonly periodStart?: string | undefined;
  readonly periodEnd?: string | undefined;
}) => periodStart <= periodEnd;
const notAPeriod = { path: ['periodStart'], message: 'the period must start before it ends' };

export const newAuditor = z.object(fields).refine(isPeriod, notAPeriod);
export type NewAuditor = z.output<typeof newAuditor>;

export const newSharedAuditor = z
  .object({
    ...fields,
    customerIds: z
      .array(uuid)
      .min(1)
      .max(MAX_CUSTOMERS)
      .meta({ description: 'customers that the token covers; the first is the default' }),
  })
  .refine(isPeriod, notAPeriod);
export type NewSharedAuditor = z.output<typeof newSharedAuditor>;

const auditor = z
  .object({
    id: uuid,
    name: z.string(),
    email: z.string().nullable(),
    prefix: z.string().length(8).meta({ description: 'first characters of the token' }),
    permissions: z.array(z.enum(AUDITOR_PERMISSIONS)),
    frameworks: z.array(z.enum(FRAMEWORKS)).nullable().meta({ description: 'null: all' }),
    periodStart: isoTime.nullable().meta({ description: 'null: from the first record' }),
    periodEnd: isoTime.nullable().meta({ description: 'null: no end' }),
    expiresAt: isoTime,
    status: z.enum(['active', 'revoked', 'expired']),
    createdAt: isoTime,
    createdByKeyId: z
      .string()
      .nullable()
      .meta({ description: '`user:` and an id: signed-in user; null: created by the platform' }),
    revokedAt: isoTime.nullable(),
  })
  .meta({ id: 'Auditor' });
export type Auditor = z.output<typeof auditor>;

const token = z
  .string()
  .regex(/^aud_[0-9a-f]{64}$/)
  .optional()
  .meta({ description: 'the full token; shown only once' });

const success = z.literal(true);
const revokedAtOnce =
  'Requests with the token fail immediately. The auditor stays in the list with the status revoked. This cannot be undone.';
const shownOnce =
  'Access is read-only. Only this response contains `token`; the service stores a hash. A retry with the same Idempotency-Key returns the record without it.';

export const createAuditor = defineRoute({
  ...endpoints.createAuditor,
  operationId: 'createAuditor',
  summary: 'Create an auditor',
  description: `${shownOnce} The auditor sends it as \`Authorization: Bearer\` to paths under /auditor. Creating and revoking auditors, and each of their requests, is recorded in the ledger. At most 20 auditors can be active.`,
  tag: 'Auditors',
  auth: 'key',
  body: newAuditor,
  idempotent: true,
  noStore: true,
  successStatus: 201,
  responses: { 201: z.object({ success, data: auditor.extend({ token }) }) },
  errors: ['AUDITOR_TOTAL_REACHED', 'STORAGE_LIMIT_REACHED', 'ACTIVE_AUDITORS_REACHED'],
});

export const listAuditors = defineRoute({
  ...endpoints.listAuditors,
  operationId: 'listAuditors',
  summary: 'List auditors',
  description:
    'Newest first, including revoked and expired auditors and those created by the platform. Tokens are never shown.',
  tag: 'Auditors',
  auth: 'key',
  query: z.object({ ...createdQuery, ...pageQuery }).transform(withRange),
  noStore: true,
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(auditor), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const revokeAuditor = defineRoute({
  ...endpoints.revokeAuditor,
  operationId: 'revokeAuditor',
  summary: 'Revoke an auditor',
  description: `${revokedAtOnce} If the token covers several customers, the others keep their access until they revoke it.`,
  tag: 'Auditors',
  auth: 'key',
  params: idParams,
  noStore: true,
  successStatus: 200,
  responses: { 200: z.object({ success, data: auditor }) },
  errors: ['NOT_FOUND'],
});

const customerIds = z.array(uuid);

export const createSharedAuditor = defineRoute({
  ...endpoints.createSharedAuditor,
  operationId: 'createSharedAuditor',
  summary: 'Create an auditor for several customers',
  description: `${shownOnce} Each customer sees the auditor in its list and the requests in its ledger, and can revoke its own access. If one customer has reached its limit of auditors, no access is granted.`,
  tag: 'Auditors',
  auth: 'internal',
  body: newSharedAuditor,
  idempotent: true,
  noStore: true,
  successStatus: 201,
  responses: { 201: single(auditor.extend({ customerIds, token })) },
  errors: [
    'NOT_FOUND',
    'CUSTOMER_ERASED',
    'AUDITOR_TOTAL_REACHED',
    'STORAGE_LIMIT_REACHED',
    'ACTIVE_AUDITORS_REACHED',
  ],
});

export const revokeSharedAuditor = defineRoute({
  ...endpoints.revokeSharedAuditor,
  operationId: 'revokeSharedAuditor',
  summary: 'Revoke an auditor for all customers',
  description: `${revokedAtOnce} Also works for auditors created by customers. Can be repeated safely.`,
  tag: 'Auditors',
  auth: 'internal',
  params: idParams,
  noStore: true,
  successStatus: 200,
  responses: { 200: single(auditor.extend({ customerIds })) },
  errors: ['NOT_FOUND'],
});
