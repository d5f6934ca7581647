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
    description: 'days from `createdAt` of a signal on; not below what the framework asks for',
  }),
  framework: z.enum(FRAMEWORKS).nullable().meta({
    description: 'applies to signals of sandboxes any version of which ever named it; null: to all',
  }),
  sandboxSlug: sandboxSlug.nullable().meta({ description: 'applies to signals of it alone; null: to all' }),
  action: action.meta({ description: 'ANONYMIZE: reasoning and detections go, the rest stays' }),
  legalHold: z
    .boolean()
    .meta({ description: 'true: nothing that the policy applies to is erased by anybody' }),
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
  'Of the policies that apply to a signal the one that keeps it longest decides, of equal ones the one that anonymizes; a legal hold beats all of them, and every erasure. Each change is an entry of the hash chain.';

export const createRetentionPolicy = defineRoute({
  ...endpoints.createRetentionPolicy,
  operationId: 'createRetentionPolicy',
  summary: 'Makes a policy that says how long signals are kept',
  description: `${WHICH_WINS} Where a framework asks for a time (HIPAA 2,190 days, PCI_DSS 365, EU_AI_ACT 183) a policy that names it may not be shorter.`,
  tag: 'evidence',
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
  summary: 'Retention policies that are not deleted, newest first',
  description: WHICH_WINS,
  tag: 'evidence',
  auth: 'key',
  query: z.object({ ...createdQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(retentionPolicy), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getRetentionPolicy = defineRoute({
  ...endpoints.getRetentionPolicy,
  operationId: 'getRetentionPolicy',
  summary: 'One retention policy',
  description: 'As it is now; its earlier versions stand in the ledger. A deleted one is unknown.',
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const updateRetentionPolicy = defineRoute({
  ...endpoints.updateRetentionPolicy,
  operationId: 'updateRetentionPolicy',
  summary: 'Changes the fields of a retention policy that the body names',
  description: WHICH_WINS,
  tag: 'evidence',
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
  summary: 'Deletes a retention policy, with the hold that it is',
  description: 'It applies to nothing from then on, and is unknown; its versions stay in the ledger.',
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});
