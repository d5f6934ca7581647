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

/** Aliases are mapped: `PCI-DSS` becomes `PCI_DSS`. Own properties only, because `constructor` is not an alias. */
const regulation = z
  .string()
  .max(64)
  .meta({ pattern: REGULATION_PATTERN })
  .transform((code) => (Object.hasOwn(REGULATION_ALIASES, code) ? REGULATION_ALIASES[code]! : code))
  .refine((code) => /^[A-Z][A-Z0-9_]{1,31}$/.test(code), 'Expected a code such as GDPR or EU_AI_ACT');

/** Maximum of custom rules per sandbox, and of characters in each. */
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
    .array(z.string().max(MAX_RULE_CHARACTERS).regex(/\S/, 'the rule is blank'))
    .max(MAX_RULES)
    .meta({
      description:
        'Words are found as they are written, as whole words in any case. `/.../flags` (i, m, s, u) is a pattern of JavaScript without references, look-ahead and look-behind. A sentence ("Do not promise refunds.") is judged by a language model as well, in audits alone, where the service is set up with one.',
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
const ownSlug = sandboxSlug.optional().meta({ description: 'only the own one; it cannot be changed' });

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
    deletedAt: isoTime.optional().meta({ description: 'of a deleted sandbox only' }),
  })
  .meta({ id: 'Sandbox' });
export type Sandbox = z.output<typeof sandbox>;

/** Fields that a change of a sandbox may touch. */
export const CHANGEABLE = [...(Object.keys(settings) as (keyof typeof settings)[]), 'deletedAt'] as const;

const versionFields = {
  version: z.int(),
  createdAt: isoTime.meta({ description: 'since when it holds' }),
  changedFields: z.array(z.enum(CHANGEABLE)).meta({
    description:
      'what differs from the version before; none in the first. `deletedAt`: with it the sandbox was deleted',
  }),
};
export const sandboxVersion = z.object(versionFields).meta({ id: 'SandboxVersion' });
export type SandboxVersion = z.output<typeof sandboxVersion>;

const wholeVersion = z
  .object({
    ...versionFields,
    sandbox: sandbox.meta({ description: 'the sandbox as it was in this version' }),
  })
  .meta({ id: 'WholeSandboxVersion' });
export type WholeSandboxVersion = z.output<typeof wholeVersion>;

/** Deleted sandboxes are included on request. */
const withDeleted = {
  includeDeleted: z
    .enum(['true', 'false'])
    .optional()
    .transform((text) => text === 'true')
    .meta({ description: 'true: deleted sandboxes too', type: 'boolean', enum: undefined }),
};

export const createSandbox = defineRoute({
  ...endpoints.createSandbox,
  operationId: 'createSandbox',
  summary: 'Creates a sandbox',
  description:
    'A sandbox says what is looked for (`sandboxType`, `customRules`), what of it is left out (`allowedValues`, `allowedCidrs`, `allowedPatterns`, `detectorsOff`, `minConfidence`), what a scan does then (`guardianAction`, `redactionStrategy`) and from which risk level on a signal is an alert (`alertThreshold`). `-` and `_` in slugs count as equal.',
  tag: 'sandboxes',
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
  summary: 'The sandboxes of the customer, newest first',
  description: 'Deleted ones only with `includeDeleted`.',
  tag: 'sandboxes',
  auth: 'key',
  query: z.object({ ...withDeleted, ...pageQuery }),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(sandbox), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getSandbox = defineRoute({
  ...endpoints.getSandbox,
  operationId: 'getSandbox',
  summary: 'One sandbox, by id or slug',
  description: 'Deleted ones only with `includeDeleted`.',
  tag: 'sandboxes',
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
  summary: 'The versions of the sandbox with this id or slug, newest first, and what each changed',
  description:
    'Every version is kept, those of deleted sandboxes too. `policyVersion` of a signal names the one that it was judged by.',
  tag: 'sandboxes',
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
  summary: 'One version of the sandbox with this id or slug, with all of its settings',
  description: 'A version never changes.',
  tag: 'sandboxes',
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
  summary: 'Changes the fields that are sent, of the sandbox with this id or slug',
  description:
    'Audits and scans that come after the answer follow the change. `version` goes up when something did change.',
  tag: 'sandboxes',
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
  summary: 'Sets every field of the sandbox with this id or slug; what is not sent gets its default',
  description:
    'Audits and scans that come after the answer follow the change. Needs the same fields as the creation, but for the slug.',
  tag: 'sandboxes',
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
  summary: 'Deletes the sandbox with this id or slug; its signals stay and its slug stays taken',
  description: 'Ingest and scan answer SANDBOX_NOT_FOUND from now on. The quota gets its place back.',
  tag: 'sandboxes',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(sandbox) },
  errors: ['NOT_FOUND'],
});
