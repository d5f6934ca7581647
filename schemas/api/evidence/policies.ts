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
/** More than the codes of any framework. */
const MAX_POLICY_RULES = 64;
const MAX_POLICY_SANDBOXES = 100;
const MAX_WINDOW_DAYS = 366;
const MAX_COUNT = 1_000_000_000;

const count = z.int().nonnegative();
const ruleFields = {
  code: z
    .enum(['*', ...VIOLATION_CODES])
    .meta({ description: 'a violation code; `*`: any violation, each signal counted once' }),
  minRiskLevel: z.enum(RISK_LEVELS).meta({ description: 'minimum risk level' }),
  maxCount: count.max(MAX_COUNT).meta({ description: 'maximum number of signals; one more is a breach' }),
  windowDays: z.int().min(1).max(MAX_WINDOW_DAYS).meta({
    description: 'length of the window, ending at a signal or at the end of a report',
  }),
  action: z.enum(POLICY_ACTIONS).meta({
    description: 'with ENFORCE: OPEN_INCIDENT opens an incident for the breaching signal; ALERT only reports',
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
    .meta({ description: 'only signals of these sandboxes; empty: all sandboxes' }),
  rules: z.array(newRule).max(MAX_POLICY_RULES).meta({
    description:
      'empty: one rule per relevant violation code of the framework, allowing no HIGH or CRITICAL signals',
  }),
  enforcement: z.enum(POLICY_ENFORCEMENTS).meta({
    description: 'MONITOR: only report breaches; ENFORCE: also run the action of the rule',
  }),
  active: z.boolean().meta({ description: 'false: the policy only reports' }),
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
    version: z.int().meta({ description: 'increases with each change' }),
    name: z.string(),
    description: z.string().nullable(),
    framework: z.enum(FRAMEWORKS),
    sandboxSlugs: z.array(z.string()),
    rules: z.array(rule),
    enforcement: z.enum(POLICY_ENFORCEMENTS),
    active: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
    deletedAt: isoTime.optional().meta({ description: 'only in the response to DELETE' }),
  })
  .meta({ id: 'Policy' });
export type Policy = z.output<typeof policy>;

const policyReport = z
  .object({
    policyId: uuid,
    policyVersion: z.int().meta({ description: 'version of the rules: the newest' }),
    framework: z.enum(FRAMEWORKS),
    period: z.object({
      start: isoTime.nullable().meta({ description: 'null: from the first signal' }),
      end: isoTime.nullable().meta({ description: 'end of the period, at most the time of the checkpoint' }),
    }),
    evaluatedSignals: count.meta({ description: 'signals of the period in the sandboxes of the policy' }),
    passingSignals: count.meta({ description: 'signals that match no rule' }),
    passRate: z.number().min(0).max(1),
    status: z.enum(POLICY_STATUSES).meta({
      description: 'FAIL: a rule is breached; WARN: 80 % of a maxCount above 0 is reached',
    }),
    rules: z.array(
      rule.extend({
        count: count.meta({ description: 'signals in the window of the rule' }),
        breached: z.boolean(),
        sampleSignalIds: z.array(uuid).max(10).meta({ description: 'newest of these signals' }),
      }),
    ),
    violationsByCode: z
      .record(z.string(), count)
      .meta({ description: 'evaluated signals per code; a signal counts for each of its codes' }),
    incidentsOpened: count.meta({ description: 'incidents opened by the policy in the period' }),
    checkpoint: z.string().nullable().meta({
      description: 'signed checkpoint up to which signals were counted; null: empty ledger',
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
  summary: 'Create a policy',
  description:
    'A policy limits how many signals of a kind are allowed: each rule allows a number of signals with a code, from a risk level, within a number of days. Every version is recorded in the ledger, so you can prove which rules applied when.',
  tag: 'Policies',
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
  summary: 'List policies',
  description: 'Newest first, without deleted policies.',
  tag: 'Policies',
  auth: 'key',
  query: z.object({ ...createdQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(policy), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getPolicy = defineRoute({
  ...endpoints.getPolicy,
  operationId: 'getPolicy',
  summary: 'Get a policy',
  description: 'Returns the current version. Earlier versions are in the ledger.',
  tag: 'Policies',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const updatePolicy = defineRoute({
  ...endpoints.updatePolicy,
  operationId: 'updatePolicy',
  summary: 'Update a policy',
  description:
    'Changes only the fields in the body, and creates a version if anything changed. `rules` replaces all rules; an empty list restores the default rules of the framework. Changing only the framework keeps the rules.',
  tag: 'Policies',
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
  summary: 'Delete a policy',
  description: 'The policy and its report then return 404. Its versions stay in the ledger.',
  tag: 'Policies',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const getPolicyReport = defineRoute({
  ...endpoints.getPolicyReport,
  operationId: 'getPolicyReport',
  summary: 'Get a policy report',
  description:
    'Counts signals up to the newest checkpoint of the ledger, without erased ones. Windows of rules end at the end of the period and can start before it. Reports for the same checkpoint are identical while the policy is unchanged and opens no incident.',
  tag: 'Policies',
  auth: 'key',
  costly: 'read',
  params: idParams,
  query: z.object(dateQuery).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: policyReport }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});
