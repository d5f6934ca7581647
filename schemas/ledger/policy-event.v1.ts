import {
  GUARDIAN_ACTIONS,
  POLICY_ACTIONS,
  POLICY_ENFORCEMENTS,
  REDACTION_STRATEGIES,
  REGIONS,
  RISK_LEVELS,
  SANDBOX_TYPES,
} from '../vocabulary.ts';
import { defineVersion } from './definition.ts';
import {
  count,
  type FieldType,
  flag,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  text,
  time,
} from './field-types.ts';

const detection = objectOf({
  allowedValues: listOf(text),
  allowedCidrs: listOf(text),
  allowedPatterns: listOf(text),
  detectorsOff: listOf(text),
  /** `of`: a detector, an entity type, or `default`. No duplicates, in alphabetical order. */
  minConfidence: listOf(objectOf({ of: text, confidence: number })),
});

/** What a sandbox excludes from detection. */
export type DetectionSettings = typeof detection extends FieldType<infer Settings> ? Settings : never;

/** A version of a sandbox: the rules used to evaluate signals. `at` of the entry is when the version was created. */
export const SANDBOX_EVENT = {
  core: {
    type: oneOf('SANDBOX'),
    sandboxId: text,
    version: count,
    slug: text,
    sandboxType: oneOf(...SANDBOX_TYPES),
    regulations: listOf(text),
    alertThreshold: oneOf(...RISK_LEVELS),
    guardianAction: oneOf(...GUARDIAN_ACTIONS),
    region: oneOf(...REGIONS),
    active: flag,
    redactionStrategy: oneOf(...REDACTION_STRATEGIES),
    createdAt: time,
    deletedAt: nullable(time),
  },
  detail: { name: text, customRules: listOf(text) },
  /** Omitted for a sandbox without such settings, so that its entries equal those of earlier releases. */
  optionalDetail: { detection },
} as const;

const policyRule = objectOf({
  /** A violation code, or `*` for signals with any violation. */
  code: text,
  minRiskLevel: oneOf(...RISK_LEVELS),
  maxCount: count,
  windowDays: count,
  action: oneOf(...POLICY_ACTIONS),
});

/** A version of a policy, in effect for signals after its entry. */
export const POLICY_SHAPE = {
  core: {
    type: oneOf('POLICY'),
    policyId: text,
    version: count,
    framework: text,
    /** Empty: all sandboxes. */
    sandboxSlugs: listOf(text),
    rules: listOf(policyRule),
    enforcement: oneOf(...POLICY_ENFORCEMENTS),
    active: flag,
    createdAt: time,
    deletedAt: nullable(time),
  },
  detail: { name: text, description: nullable(text) },
} as const;

/** A version of a retention policy. */
const RETENTION_SHAPE = {
  core: {
    type: oneOf('RETENTION'),
    policyId: text,
    version: count,
    retentionDays: count,
    framework: nullable(text),
    sandboxSlug: nullable(text),
    action: oneOf('DELETE', 'ANONYMIZE'),
    legalHold: flag,
    active: flag,
    createdAt: time,
    deletedAt: nullable(time),
  },
  detail: { name: text },
} as const;

/** A version of the list of legal holds, which every erasure checks. */
const HOLD_SHAPE = {
  core: {
    type: oneOf('HOLD'),
    version: count,
    /** Retention policies whose matching signals are on legal hold. */
    policyIds: listOf(text),
  },
  detail: { actor: nullable(text) },
} as const;

/** Correlation settings, in effect from the index of their entry. */
const SETTINGS_SHAPE = {
  core: {
    type: oneOf('SETTINGS'),
    version: count,
    windowMinutes: count,
    minSignals: count,
    dimensions: listOf(oneOf('sandbox', 'model', 'provider', 'violation')),
  },
  detail: { actor: nullable(text) },
} as const;

/** Rules at a point in time. Every type is emitted, and so final. */
export const POLICY_EVENT_V1 = defineVersion({
  kind: 'POLICY_EVENT',
  v: 1,
  shapes: [SANDBOX_EVENT, POLICY_SHAPE, RETENTION_SHAPE, HOLD_SHAPE, SETTINGS_SHAPE],
  stored: { core: 'OBJECTS', detail: 'OBJECTS' },
});
