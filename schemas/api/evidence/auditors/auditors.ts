import { z } from 'zod';
import * as endpoints from '../../../endpoints.ts';
import { AUDITOR_PERMISSIONS, FRAMEWORKS } from '../../../vocabulary.ts';
import { defineRoute } from '../../contract.ts';
import { createdQuery, dateText, parseDate, withRange } from '../../fields/dates.ts';
import { displayName, emailAddress, idParams, isoTime, single, uuid } from '../../fields/fields.ts';
import { pageQuery, pagination } from '../../fields/paging.ts';

/** Life of a token that was made without an end, and the longest one, in days. */
export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 365;
/** Customers that one token may be for: each call reads the records of all of them. */
export const MAX_CUSTOMERS = 20;

/** ISO 8601 with milliseconds; a bare date is its first moment, or with `end` its last. */
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
    .meta({ description: 'what the auditor may read; each path needs one of them' }),
  frameworks: z.array(z.enum(FRAMEWORKS)).min(1).max(FRAMEWORKS.length).optional().meta({
    description:
      'limits what is shown to sandboxes whose regulations name one of these; without it all are shown',
  }),
  periodStart: instant(false).meta({
    description: 'nothing older is shown: neither signals nor incidents that were opened before',
  }),
  periodEnd: instant(true).meta({ description: 'nothing newer is shown' }),
  expiresAt: instant(true).meta({
    description: `when the token ends: in ${DEFAULT_DAYS} days by default, in ${MAX_DAYS} at most`,
  }),
};

const isPeriod = ({
  periodStart = '',
  periodEnd = '9999',
}: {
  readonly periodStart?: string | undefined;
  readonly periodEnd?: string | undefined;
}) => periodStart <= periodEnd;
const notAPeriod = { path: ['periodStart'], message: 'the period begins after its end' };

export const newAuditor = z.object(fields).refine(isPeriod, notAPeriod);
export type NewAuditor = z.output<typeof newAuditor>;

export const newSharedAuditor = z
  .object({
    ...fields,
    customerIds: z
      .array(uuid)
      .min(1)
      .max(MAX_CUSTOMERS)
      .meta({ description: 'customers whose records the token shows; the first one without being named' }),
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
    periodStart: isoTime.nullable().meta({ description: 'null: from the first record on' }),
    periodEnd: isoTime.nullable().meta({ description: 'null: no end' }),
    expiresAt: isoTime,
    status: z.enum(['active', 'revoked', 'expired']),
    createdAt: isoTime,
    createdByKeyId: z
      .string()
      .nullable()
      .meta({ description: '`user:` and an id: that user, signed in; null: the platform made it' }),
    revokedAt: isoTime.nullable(),
  })
  .meta({ id: 'Auditor' });
export type Auditor = z.output<typeof auditor>;

const token = z
  .string()
  .regex(/^aud_[0-9a-f]{64}$/)
  .optional()
  .meta({ description: 'the full token; shown by the first answer only' });

const success = z.literal(true);
const revokedAtOnce =
  'The next call with it fails, on every node. It stays in the list with the status revoked.';
const shownOnce =
  'Only this answer holds `token`; what is stored is its hash. A repeat with the same Idempotency-Key shows the record without it.';

export const createAuditor = defineRoute({
  ...endpoints.createAuditor,
  operationId: 'createAuditor',
  summary: 'Gives an auditor a read-only view; the token is shown once',
  description: `${shownOnce} The auditor sends it as \`Authorization: Bearer\` to the paths under /auditor. Each auditor that is made or revoked, and each of their calls, is an entry of the hash chain. At most 20 are active at a time: then 429, until one is revoked or expires.`,
  tag: 'evidence',
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
  summary: 'Auditors who may, or might, see the customer’s records, newest first',
  description: 'Revoked and expired ones too, and those that the platform made; never a token.',
  tag: 'evidence',
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
  summary: 'Takes the view from an auditor, at once and for good',
  description: `${revokedAtOnce} Of a token for several customers the others’ views stay: each revokes its own.`,
  tag: 'evidence',
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
  summary: 'Gives an auditor a view of several customers; the token is shown once',
  description: `${shownOnce} Each customer sees the auditor in its list, has the calls about it in its ledger, and can revoke its own part. When one of them may have no further auditor, nothing is granted.`,
  tag: 'internal',
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
  summary: 'Revokes an auditor’s token for all of its customers, at once and for good',
  description: `${revokedAtOnce} Works for auditors that customers made as well, and may be repeated.`,
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  noStore: true,
  successStatus: 200,
  responses: { 200: single(auditor.extend({ customerIds })) },
  errors: ['NOT_FOUND'],
});
