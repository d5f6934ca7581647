import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import {
  GUARDIAN_ACTIONS,
  REDACTION_STRATEGIES,
  REGIONS,
  REGULATION_ALIASES,
  RISK_LEVELS,
  SANDBOX_TYPES,
} from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { detectionFields } from './detection-settings.ts';
import { displayName, idParams, isoTime, sandboxSlug, single, uuid } from './fields/fields.ts';
import { pageQuery, pagination } from './fields/paging.ts';

const REGULATION_PATTERN = `^([A-Z][A-Z0-9_]{1,31}|${Object.keys(REGULATION_ALIASES).join('|')})$`;

/** Maps aliases: `PCI-DSS` becomes `PCI_DSS`. Checks own properties only, because `constructor` is not an alias. */
const regulation = z
  .string()
  .max(64)
  .meta({ pattern: REGULATION_PATTERN })
  .transform((code) => (Object.hasOwn(REGULATION_ALIASES, code) ? REGULATION_ALIASES[code]! : code))
  .refine((code) => /^[A-Z][A-Z0-9_]{1,31}$/.test(code), 'Expected a code such as GDPR or EU_AI_ACT');

/** Maximum number of custom rules per sandbox, and of characters in each. */
const MAX_RULES = 50;
const MAX_RULE_CHARACTERS = 500;

const settings = {
  name: displayName,
  sandboxType: z.enum(SANDBOX_TYPES),
  regulations: z
    .array(regulation)
    .max(50)
    .transform((codes) => [...new Set(codes)]),
  alertThreshold: z.enum(RISK_LEVELS),
  guardianAction: z.enum(GUARDIAN_ACTIONS),
  customRules: z
    .array(z.string().max(MAX_RULE_CHARACTERS).regex(/\S/, 'the rule must not be blank'))
    .max(MAX_RULES)
    .meta({
      description:
        'Words match as whole words, case-insensitively. `/.../flags` (i, m, s, u) is a JavaScript pattern without backreferences, lookahead and lookbehind. A sentence ("Do not promise refunds.") is also judged by a language model, only in audits and only if the service is configured with one.',
    }),
  region: z.enum(REGIONS),
  active: z.boolean(),
  redactionStrategy: z.enum(REDACTION_STRATEGIES),
  ...detectionFields,
};

export const newSandbox = z.object({
  name: settings.name,
  slug: sandboxSlug,
  sandboxType: settings.sandboxType,
  regulations: settings.regulations.default([]),
  alertThreshold: settings.alertThreshold.default('HIGH'),
  guardianAction: settings.guardianAction.default('REDACT_AND_CONTINUE'),
  customRules: settings.customRules.default([]),
  region: settings.region.default('GLOBAL'),
  active: settings.active.default(true),
  redactionStrategy: settings.redactionStrategy.default('FULL'),
  allowedValues: settings.allowedValues.default([]),
  allowedCidrs: settings.allowedCidrs.default([]),
  allowedPatterns: settings.allowedPatterns.default([]),
  detectorsOff: settings.detectorsOff.default([]),
  minConfidence: settings.minConfidence.default({}),
});
export type NewSandbox = z.output<typeof newSandbox>;

/** The slug cannot be changed; a request may repeat the current one, in either spelling. */
const ownSlug = sandboxSlug
  .optional()
  .meta({ description: 'must equal the current slug, which cannot be changed' });

/** Absent fields are unchanged. */
export const sandboxChange = z.object({ ...settings, slug: ownSlug }).partial();
export type SandboxChange = z.output<typeof sandboxChange>;

/** Absent fields get their defaults. */
export const sandboxReplacement = newSandbox.extend({ slug: ownSlug });

export const sandbox = z
  .object({
    id: uuid,
    version: z.int(),
    name: z.string(),
    slug: z.string(),
    sandboxType: z.enum(SANDBOX_TYPES),
    regulations: z.array(z.string()),
    alertThreshold: z.enum(RISK_LEVELS),
    guardianAction: z.enum(GUARDIAN_ACTIONS),
    customRules: z.array(z.string()),
    region: z.enum(REGIONS),
    active: z.boolean(),
    redactionStrategy: z.enum(REDACTION_STRATEGIES),
    allowedValues: z.array(z.string()),
    allowedCidrs: z.array(z.string()),
    allowedPatterns: z.array(z.string()),
    detectorsOff: z.array(z.string()),
    minConfidence: z.record(z.string(), z.number()),
    createdAt: isoTime,
    updatedAt: isoTime,
    deletedAt: isoTime.optional().meta({ description: 'only for deleted sandboxes' }),
  })
  .meta({ id: 'Sandbox' });
export type Sandbox = z.output<typeof sandbox>;

/** Fields that a sandbox change may contain. */
export const CHANGEABLE = [...(Object.keys(settings) as (keyof typeof settings)[]), 'deletedAt'] as const;

const versionFields = {
  version: z.int(),
  createdAt: isoTime.meta({ description: 'when it took effect' }),
  changedFields: z.array(z.enum(CHANGEABLE)).meta({
    description:
      'fields that differ from the previous version; empty for the first. `deletedAt`: the sandbox was deleted',
  }),
};
export const sandboxVersion = z.object(versionFields).meta({ id: 'SandboxVersion' });
export type SandboxVersion = z.output<typeof sandboxVersion>;

const wholeVersion = z
  .object({
    ...versionFields,
    sandbox: sandbox.meta({ description: 'the sandbox in this version' }),
  })
  .meta({ id: 'WholeSandboxVersion' });
export type WholeSandboxVersion = z.output<typeof wholeVersion>;

/** Deleted sandboxes are included on request. */
const withDeleted = {
  includeDeleted: z
    .enum(['true', 'false'])
    .optional()
    .transform((text) => text === 'true')
    .meta({ description: 'true: include deleted sandboxes', type: 'boolean', enum: undefined }),
};

export const createSandbox = defineRoute({
  ...endpoints.createSandbox,
  operationId: 'createSandbox',
  summary: 'Create a sandbox',
  description: [
    'A sandbox defines:',
    '- what to detect: `sandboxType`, `customRules`\n- what to ignore: `allowedValues`, `allowedCidrs`, `allowedPatterns`, `detectorsOff`, `minConfidence`\n- what a scan does with matches: `guardianAction`, `redactionStrategy`\n- from which risk level a signal is an alert: `alertThreshold`',
    '`-` and `_` in slugs are equivalent.',
  ].join('\n\n'),
  tag: 'Sandboxes',
  auth: 'key',
  body: newSandbox,
  idempotent: true,
  successStatus: 201,
  responses: { 201: single(sandbox) },
  errors: [
    'SANDBOX_EXISTS',
    'SANDBOX_LIMIT_REACHED',
    'SANDBOX_TOTAL_REACHED',
    'SANDBOX_CHANGES_REACHED',
    'STORAGE_LIMIT_REACHED',
  ],
});

export const listSandboxes = defineRoute({
  ...endpoints.listSandboxes,
  operationId: 'listSandboxes',
  summary: 'List sandboxes',
  description: 'Newest first. Deleted sandboxes are included only with `includeDeleted`.',
  tag: 'Sandboxes',
  auth: 'key',
  query: z.object({ ...withDeleted, ...pageQuery }),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(sandbox), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getSandbox = defineRoute({
  ...endpoints.getSandbox,
  operationId: 'getSandbox',
  summary: 'Get a sandbox',
  description: 'By id or slug. Deleted sandboxes are returned only with `includeDeleted`.',
  tag: 'Sandboxes',
  auth: 'key',
  params: idParams,
  query: z.object(withDeleted),
  successStatus: 200,
  responses: { 200: single(sandbox) },
  errors: ['NOT_FOUND'],
});

export const listSandboxVersions = defineRoute({
  ...endpoints.listSandboxVersions,
  operationId: 'listSandboxVersions',
  summary: 'List versions of a sandbox',
  description:
    'Newest first, with the changes of each version. All versions are kept, also those of deleted sandboxes. The `policyVersion` of a signal refers to one of them.',
  tag: 'Sandboxes',
  auth: 'key',
  costly: 'read',
  params: idParams,
  query: z.object(pageQuery),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(sandboxVersion), pagination }) },
  errors: ['NOT_FOUND', 'INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getSandboxVersion = defineRoute({
  ...endpoints.getSandboxVersion,
  operationId: 'getSandboxVersion',
  summary: 'Get a version of a sandbox',
  description: 'Returns all settings of this version. Versions never change.',
  tag: 'Sandboxes',
  auth: 'key',
  costly: 'read',
  params: idParams.extend({ version: z.string() }),
  successStatus: 200,
  responses: { 200: single(wholeVersion) },
  errors: ['NOT_FOUND'],
});

export const updateSandbox = defineRoute({
  ...endpoints.updateSandbox,
  operationId: 'updateSandbox',
  summary: 'Update a sandbox',
  description:
    'Changes only the fields in the body. Applies to audits and scans after the response. `version` increases if anything changed.',
  tag: 'Sandboxes',
  auth: 'key',
  params: idParams,
  body: sandboxChange,
  idempotent: true,
  successStatus: 200,
  responses: { 200: single(sandbox) },
  errors: ['SLUG_IMMUTABLE', 'NOT_FOUND', 'SANDBOX_CHANGES_REACHED', 'STORAGE_LIMIT_REACHED'],
});

export const replaceSandbox = defineRoute({
  ...endpoints.replaceSandbox,
  operationId: 'replaceSandbox',
  summary: 'Replace a sandbox',
  description:
    'Sets every field; omitted fields get their default. Requires the same fields as creation, except the slug. Applies to audits and scans after the response.',
  tag: 'Sandboxes',
  auth: 'key',
  params: idParams,
  body: sandboxReplacement,
  successStatus: 200,
  responses: { 200: single(sandbox) },
  errors: ['SLUG_IMMUTABLE', 'NOT_FOUND', 'SANDBOX_CHANGES_REACHED', 'STORAGE_LIMIT_REACHED'],
});

export const deleteSandbox = defineRoute({
  ...endpoints.deleteSandbox,
  operationId: 'deleteSandbox',
  summary: 'Delete a sandbox',
  description:
    'Ingest and scan then return SANDBOX_NOT_FOUND. Its signals remain and its slug stays reserved, but it no longer counts against the sandbox limit.',
  tag: 'Sandboxes',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(sandbox) },
  errors: ['NOT_FOUND'],
});
