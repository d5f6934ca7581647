import { z } from 'zod';
import * as endpoints from '../../../endpoints.ts';
import { FRAMEWORKS, RETENTION_ACTIONS } from '../../../vocabulary.ts';
import { defineRoute } from '../../contract.ts';
import { createdQuery, withRange } from '../../fields/dates.ts';
import { displayName, idParams, isoTime, sandboxSlug, uuid } from '../../fields/fields.ts';
import { pageQuery, pagination } from '../../fields/paging.ts';

const MAX_RETENTION_DAYS = 36_500;
const action = z.enum(RETENTION_ACTIONS);

const fields = {
  name: displayName,
  retentionDays: z.int().min(1).max(MAX_RETENTION_DAYS).meta({
    description: 'days after `createdAt` of a signal; not below the minimum of the framework',
  }),
  framework: z.enum(FRAMEWORKS).nullable().meta({
    description: 'only signals of sandboxes that have ever included this framework; null: all signals',
  }),
  sandboxSlug: sandboxSlug
    .nullable()
    .meta({ description: 'only signals of this sandbox; null: all sandboxes' }),
  action: action.meta({ description: 'ANONYMIZE: only reasoning and detections are deleted' }),
  legalHold: z.boolean().meta({ description: 'true: signals covered by the policy cannot be erased' }),
  active: z.boolean(),
};

export const newRetentionPolicy = z.object({
  name: fields.name,
  retentionDays: fields.retentionDays,
  framework: fields.framework.default(null),
  sandboxSlug: fields.sandboxSlug.default(null),
  action: fields.action.default('DELETE'),
  legalHold: fields.legalHold.default(false),
  active: fields.active.default(true),
});
export type NewRetentionPolicy = z.output<typeof newRetentionPolicy>;

export const retentionPolicyChange = z.object({
  name: fields.name.optional(),
  retentionDays: fields.retentionDays.optional(),
  framework: fields.framework.optional(),
  sandboxSlug: fields.sandboxSlug.optional(),
  action: fields.action.optional(),
  legalHold: fields.legalHold.optional(),
  active: fields.active.optional(),
});
export type RetentionPolicyChange = z.output<typeof retentionPolicyChange>;

const retentionPolicy = z
  .object({
    id: uuid,
    ...fields,
    sandboxSlug: z.string().nullable(),
    version: z.int(),
    createdAt: isoTime,
    updatedAt: isoTime,
    deletedAt: isoTime.nullable(),
  })
  .meta({ id: 'RetentionPolicy' });
export type ShownRetentionPolicy = z.output<typeof retentionPolicy>;

const success = z.literal(true);
const one = z.object({ success, data: retentionPolicy });

const WHICH_WINS =
  'If several policies apply to a signal, the longest retention wins; if equal, anonymizing wins. Legal holds override all policies and erasures. Changes are recorded in the ledger.';

export const createRetentionPolicy = defineRoute({
  ...endpoints.createRetentionPolicy,
  operationId: 'createRetentionPolicy',
  summary: 'Create a retention policy',
  description: `${WHICH_WINS} Policies for a framework cannot be shorter than its minimum: HIPAA 2,190 days, PCI_DSS 365, EU_AI_ACT 183.`,
  tag: 'Retention',
  auth: 'key',
  body: newRetentionPolicy,
  idempotent: true,
  successStatus: 201,
  responses: { 201: one },
  errors: ['RETENTION_BELOW_MINIMUM', 'SANDBOX_NOT_FOUND', 'RETENTION_POLICIES_REACHED'],
});

export const listRetentionPolicies = defineRoute({
  ...endpoints.listRetentionPolicies,
  operationId: 'listRetentionPolicies',
  summary: 'List retention policies',
  description: WHICH_WINS,
  tag: 'Retention',
  auth: 'key',
  query: z.object({ ...createdQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(retentionPolicy), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getRetentionPolicy = defineRoute({
  ...endpoints.getRetentionPolicy,
  operationId: 'getRetentionPolicy',
  summary: 'Get a retention policy',
  description:
    'Returns the current version. Earlier versions are in the ledger. Deleted policies return 404.',
  tag: 'Retention',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const updateRetentionPolicy = defineRoute({
  ...endpoints.updateRetentionPolicy,
  operationId: 'updateRetentionPolicy',
  summary: 'Update a retention policy',
  description: `Changes only the fields in the body. ${WHICH_WINS}`,
  tag: 'Retention',
  auth: 'key',
  params: idParams,
  body: retentionPolicyChange,
  idempotent: true,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND', 'RETENTION_BELOW_MINIMUM', 'SANDBOX_NOT_FOUND', 'RETENTION_CHANGES_REACHED'],
});

export const deleteRetentionPolicy = defineRoute({
  ...endpoints.deleteRetentionPolicy,
  operationId: 'deleteRetentionPolicy',
  summary: 'Delete a retention policy',
  description: 'Also releases its legal hold. Its versions stay in the ledger.',
  tag: 'Retention',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});
