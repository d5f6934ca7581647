import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import {
  CHECK_OUTCOMES,
  CONTROL_STATUSES,
  EVIDENCE_SCOPES,
  EVIDENCE_TYPES,
  FRAMEWORKS,
} from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { dateQuery, withRange } from '../fields/dates.ts';
import { isoTime, uuid } from '../fields/fields.ts';
import { pageQueryOf, pagination } from '../fields/paging.ts';

/** Disclaimer in every attestation. */
export const NOTICE = 'evidence from LLM interactions only; not a certification';

const count = z.int().nonnegative();
const framework = z.enum(FRAMEWORKS);

/** The period, catalog version and checkpoint that a response is based on. */
const basis = {
  periodStart: isoTime.nullable().meta({ description: 'null: from the first signal' }),
  periodEnd: isoTime.nullable().meta({ description: 'null: up to the checkpoint' }),
  catalogueVersion: z.string().meta({ description: 'version of the control catalog' }),
  checkpoint: z.string().nullable().meta({
    description: 'signed checkpoint up to which signals were counted; null: empty ledger',
  }),
  generatedAt: isoTime.nullable().meta({ description: 'when that checkpoint was signed' }),
  notice: z.literal(NOTICE),
};

const scope = z.enum(EVIDENCE_SCOPES).meta({
  description:
    'NAMED: signals of the sandboxes whose regulations name the framework; ALL: no sandbox does, so all signals count',
});

export const attestation = z
  .object({
    id: uuid.meta({ description: 'stable for the same control, period and checkpoint' }),
    framework,
    controlId: z.string().meta({ description: 'reference in the framework' }),
    title: z.string().meta({ description: 'paraphrased title, not the wording of the framework' }),
    status: z.enum(CONTROL_STATUSES).meta({
      description:
        'NO_EVIDENCE: no signals in scope, or nothing to check; CLEAR: no violations; ADDRESSED: every HIGH or CRITICAL violation has a resolved or dismissed incident; OPEN: one has none, or a check failed',
    }),
    reason: z.string().meta({ description: 'reason for the status' }),
    evidenceType: z.enum(EVIDENCE_TYPES),
    scope,
    signalCount: count.meta({ description: 'signals in scope' }),
    violationCount: count.meta({ description: 'signals in scope that violate the control' }),
    violationsByCode: z
      .record(z.string(), count)
      .meta({ description: 'violating signals per code; a signal counts for each of its codes' }),
    openIncidents: count.meta({
      description: 'incidents of violating signals that are not resolved or dismissed',
    }),
    sampleSignalIds: z
      .array(uuid)
      .max(10)
      .meta({ description: 'some of the violating signals: HIGH and CRITICAL first, then the newest' }),
    checks: z
      .array(z.object({ name: z.string(), outcome: z.enum(CHECK_OUTCOMES), reason: z.string() }))
      .meta({ description: 'operational checks of the control' }),
    appliesFrom: z.iso
      .date()
      .nullable()
      .meta({ description: 'when the control takes effect; null: in force' }),
    weight: z.int().min(1).max(3).meta({ description: 'importance within the framework' }),
    ...basis,
  })
  .meta({ id: 'Attestation' });
export type Attestation = z.output<typeof attestation>;

export const frameworkCoverage = z
  .object({
    framework,
    scope,
    totalControls: count,
    controlsWithEvidence: count.meta({ description: 'controls with another status than NO_EVIDENCE' }),
    coveragePercent: z.number().min(0).max(100),
    byStatus: z.object({ NO_EVIDENCE: count, CLEAR: count, ADDRESSED: count, OPEN: count }),
    gaps: z
      .array(z.object({ controlId: z.string(), reason: z.string() }))
      .meta({ description: 'controls without evidence' }),
    ...basis,
  })
  .meta({ id: 'FrameworkCoverage' });
export type FrameworkCoverage = z.output<typeof frameworkCoverage>;

export const frameworkFilter = framework
  .optional()
  .meta({ description: 'only controls of this framework; default: all frameworks' });

const EXPLAINED =
  'Counts signals up to the newest checkpoint of the ledger, without erased ones. Results for the same checkpoint are identical unless a verification of the ledger changed them. Based on language-model activity only: a framework requires more, and this is not a certification.';

export const listAttestations = defineRoute({
  ...endpoints.listAttestations,
  operationId: 'listAttestations',
  summary: 'List control attestations',
  description: EXPLAINED,
  tag: 'Controls',
  auth: 'key',
  costly: 'read',
  query: z.object({ framework: frameworkFilter, ...dateQuery, ...pageQueryOf(100) }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: z.array(attestation), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP', 'LEDGER_ROLLED_BACK'],
});

export const getCoverage = defineRoute({
  ...endpoints.getCoverage,
  operationId: 'getCoverage',
  summary: 'Get control coverage',
  description: `${EXPLAINED} With \`framework\`, \`data\` is one object; without it, a list of all frameworks.`,
  tag: 'Controls',
  auth: 'key',
  costly: 'read',
  query: z.object({ framework: frameworkFilter, ...dateQuery }).transform(withRange),
  successStatus: 200,
  responses: {
    200: z.object({
      success: z.literal(true),
      data: z.union([frameworkCoverage, z.array(frameworkCoverage)]),
    }),
  },
  errors: ['LEDGER_ROLLED_BACK'],
});
