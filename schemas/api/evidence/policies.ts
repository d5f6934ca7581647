import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import {
  FRAMEWORKS,
  POLICY_ACTIONS,
  POLICY_ENFORCEMENTS,
  POLICY_STATUSES,
  RISK_LEVELS,
  VIOLATION_CODES,
} from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { createdQuery, dateQuery, withRange } from '../fields/dates.ts';
import { displayName, idParams, isoTime, sandboxSlug, uuid } from '../fields/fields.ts';
import { pageQuery, pagination } from '../fields/paging.ts';
import { NOTICE } from './attestations.ts';

const MAX_DESCRIPTION = 4_000;
/** A framework names fewer codes. */
const MAX_POLICY_RULES = 64;
const MAX_POLICY_SANDBOXES = 100;
const MAX_WINDOW_DAYS = 366;
const MAX_COUNT = 1_000_000_000;

const count = z.int().nonnegative();
const ruleFields = {
  code: z
    .enum(['*', ...VIOLATION_CODES])
    .meta({ description: 'a violation code; `*`: signals with any, each counted once' }),
  minRiskLevel: z.enum(RISK_LEVELS).meta({ description: 'from this level on' }),
  maxCount: count.max(MAX_COUNT).meta({ description: 'so many are allowed; one more is a breach' }),
  windowDays: z.int().min(1).max(MAX_WINDOW_DAYS).meta({
    description: 'days in which they are counted: back from a signal, or from the end of a report’s period',
  }),
  action: z.enum(POLICY_ACTIONS).meta({
    description:
      'under ENFORCE: OPEN_INCIDENT opens an incident on the signal of the breach; ALERT shows in reports alone',
  }),
};

const newRule = z.object({
  code: ruleFields.code,
  minRiskLevel: ruleFields.minRiskLevel.default('HIGH'),
  maxCount: ruleFields.maxCount.default(0),
  windowDays: ruleFields.windowDays.default(30),
  action: ruleFields.action.default('OPEN_INCIDENT'),
});

const settings = {
  name: displayName.regex(/\S/, 'say something'),
  description: z.string().max(MAX_DESCRIPTION).nullable(),
  framework: z.enum(FRAMEWORKS),
  sandboxSlugs: z
    .array(sandboxSlug)
    .max(MAX_POLICY_SANDBOXES)
    .meta({ description: 'signals of these sandboxes; empty: of all' }),
  rules: z.array(newRule).max(MAX_POLICY_RULES).meta({
    description:
      'empty: a rule for each code that counts against the framework, which allows no signal from HIGH on',
  }),
  enforcement: z.enum(POLICY_ENFORCEMENTS).meta({
    description: 'MONITOR: breaches show in reports; ENFORCE: they also act, as their rule says',
  }),
  active: z.boolean().meta({ description: 'false: nothing is enforced; reports go on' }),
};

export const newPolicy = z.object({
  name: settings.name,
  framework: settings.framework,
  description: settings.description.default(null),
  sandboxSlugs: settings.sandboxSlugs.default([]),
  rules: settings.rules.default([]),
  enforcement: settings.enforcement.default('MONITOR'),
  active: settings.active.default(true),
});
export type NewPolicy = z.output<typeof newPolicy>;

/** Absent fields are unchanged. */
export const policyChange = z.object(settings).partial();
export type PolicyChange = z.output<typeof policyChange>;

const rule = z.object(ruleFields);
const policy = z
  .object({
    id: uuid,
    version: z.int().meta({ description: 'one more with each change' }),
    name: z.string(),
    description: z.string().nullable(),
    framework: z.enum(FRAMEWORKS),
    sandboxSlugs: z.array(z.string()),
    rules: z.array(rule),
    enforcement: z.enum(POLICY_ENFORCEMENTS),
    active: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
    deletedAt: isoTime.optional().meta({ description: 'in the answer to DELETE only' }),
  })
  .meta({ id: 'Policy' });
export type Policy = z.output<typeof policy>;

const policyReport = z
  .object({
    policyId: uuid,
    policyVersion: z.int().meta({ description: 'the version whose rules were applied: the newest' }),
    framework: z.enum(FRAMEWORKS),
    period: z.object({
      start: isoTime.nullable().meta({ description: 'null: from the first signal on' }),
      end: isoTime
        .nullable()
        .meta({ description: 'at most the time of the checkpoint, from which windows reach back' }),
    }),
    evaluatedSignals: count.meta({ description: 'signals of the period in the policy’s sandboxes' }),
    passingSignals: count.meta({ description: 'those among them that no rule counts' }),
    passRate: z.number().min(0).max(1),
    status: z.enum(POLICY_STATUSES).meta({
      description: 'FAIL: a rule is breached; WARN: one has reached 80 % of a maxCount above 0',
    }),
    rules: z.array(
      rule.extend({
        count: count.meta({ description: 'signals in the rule’s window' }),
        breached: z.boolean(),
        sampleSignalIds: z.array(uuid).max(10).meta({ description: 'the newest of them' }),
      }),
    ),
    violationsByCode: z
      .record(z.string(), count)
      .meta({ description: 'evaluated signals per code; a signal counts for each of its codes' }),
    incidentsOpened: count.meta({ description: 'incidents that the policy opened in the period' }),
    checkpoint: z.string().nullable().meta({
      description:
        'signed note of the ledger whose signals were counted, and none behind it; null: it is empty',
    }),
    generatedAt: isoTime.nullable().meta({ description: 'when that checkpoint was signed' }),
    notice: z.literal(NOTICE),
  })
  .meta({ id: 'PolicyReport' });
export type PolicyReport = z.output<typeof policyReport>;

const success = z.literal(true);
const one = z.object({ success, data: policy });

export const createPolicy = defineRoute({
  ...endpoints.createPolicy,
  operationId: 'createPolicy',
  summary: 'Creates a policy: how many signals of which kind are allowed',
  description:
    'Each rule allows so many signals with a code, from a risk level on, within so many days. Every version of a policy is an entry of the hash chain, so that it can be proved which rules held when.',
  tag: 'evidence',
  auth: 'key',
  body: newPolicy,
  idempotent: true,
  successStatus: 201,
  responses: { 201: one },
  errors: ['SANDBOX_NOT_FOUND', 'POLICY_LIMIT_REACHED', 'SANDBOX_CHANGES_REACHED', 'STORAGE_LIMIT_REACHED'],
});

export const listPolicies = defineRoute({
  ...endpoints.listPolicies,
  operationId: 'listPolicies',
  summary: 'The policies of the customer, newest first',
  description: 'Deleted ones are left out; `GET /evidence/policies/{id}` shows one.',
  tag: 'evidence',
  auth: 'key',
  query: z.object({ ...createdQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(policy), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getPolicy = defineRoute({
  ...endpoints.getPolicy,
  operationId: 'getPolicy',
  summary: 'One policy',
  description: 'As its newest version has it; the earlier ones are entries of the hash chain.',
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const updatePolicy = defineRoute({
  ...endpoints.updatePolicy,
  operationId: 'updatePolicy',
  summary: 'Changes the fields that are sent',
  description:
    'Makes a new version; without a difference there is none. `rules` replaces all rules; an empty list gives those of the framework, which a change of the framework alone does not.',
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  body: policyChange,
  idempotent: true,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND', 'SANDBOX_NOT_FOUND', 'SANDBOX_CHANGES_REACHED', 'STORAGE_LIMIT_REACHED'],
});

export const deletePolicy = defineRoute({
  ...endpoints.deletePolicy,
  operationId: 'deletePolicy',
  summary: 'Deletes a policy',
  description: 'It is unknown from then on, and its report with it; its versions stay in the hash chain.',
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const getPolicyReport = defineRoute({
  ...endpoints.getPolicyReport,
  operationId: 'getPolicyReport',
  summary: 'How a policy was kept in a period',
  description:
    'Signals count as far as the newest checkpoint of the ledger covers them; erased ones do not. A rule’s window reaches back from the end of the period, before its beginning too. The same request at the same checkpoint has the same answer while the policy is not changed and opens no incident.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  params: idParams,
  query: z.object(dateQuery).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: policyReport }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});
