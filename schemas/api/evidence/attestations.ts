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

/** What an attestation is not. */
export const NOTICE = 'evidence from LLM interactions only; not a certification';

const count = z.int().nonnegative();
const framework = z.enum(FRAMEWORKS);

/** What every answer is computed as of. */
const basis = {
  periodStart: isoTime.nullable().meta({ description: 'null: from the first signal on' }),
  periodEnd: isoTime.nullable().meta({ description: 'null: up to the checkpoint' }),
  catalogueVersion: z.string().meta({ description: 'version of the list of controls' }),
  checkpoint: z.string().nullable().meta({
    description: 'signed note of the ledger that was looked at, and of nothing behind it; null: it is empty',
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
    id: uuid.meta({ description: 'the same for the same control, period and checkpoint' }),
    framework,
    controlId: z.string().meta({ description: 'where the framework says it' }),
    title: z
      .string()
      .meta({ description: 'what it is about, in our words and not in those of the framework' }),
    status: z.enum(CONTROL_STATUSES).meta({
      description:
        'NO_EVIDENCE: no signal in scope, or no record of what has to be checked; CLEAR: nothing counts against it; ADDRESSED: signals do, and every HIGH or CRITICAL one has an incident that is resolved or dismissed; OPEN: one has none, or a check failed',
    }),
    reason: z.string().meta({ description: 'what decided the status' }),
    evidenceType: z.enum(EVIDENCE_TYPES),
    scope,
    signalCount: count.meta({ description: 'signals in scope' }),
    violationCount: count.meta({ description: 'signals in scope that count against the control' }),
    violationsByCode: z
      .record(z.string(), count)
      .meta({ description: 'those signals per code; a signal counts for each of its codes' }),
    openIncidents: count.meta({
      description: 'incidents of those signals that are not resolved or dismissed',
    }),
    sampleSignalIds: z
      .array(uuid)
      .max(10)
      .meta({ description: 'some of those signals: HIGH and CRITICAL ones first, then the newest' }),
    checks: z
      .array(z.object({ name: z.string(), outcome: z.enum(CHECK_OUTCOMES), reason: z.string() }))
      .meta({ description: 'operational checks of the control' }),
    appliesFrom: z.iso
      .date()
      .nullable()
      .meta({ description: 'from when on the framework demands it; null: already' }),
    weight: z.int().min(1).max(3).meta({ description: 'how much it weighs beside others of the framework' }),
    ...basis,
  })
  .meta({ id: 'Attestation' });
export type Attestation = z.output<typeof attestation>;

export const frameworkCoverage = z
  .object({
    framework,
    scope,
    totalControls: count,
    controlsWithEvidence: count.meta({ description: 'whose status is not NO_EVIDENCE' }),
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
  .meta({ description: 'only controls of this framework; default: of all' });

const EXPLAINED =
  'Signals of the period count as far as the newest checkpoint of the ledger covers them; erased ones do not. The same request at the same checkpoint has the same answer, unless a verification of the ledger or a change of what it found came between. It supports record-keeping; what a framework demands goes further than what models are asked and answer.';

export const listAttestations = defineRoute({
  ...endpoints.listAttestations,
  operationId: 'listAttestations',
  summary: 'What the evidence tells of each control of a framework, or of all frameworks',
  description: EXPLAINED,
  tag: 'evidence',
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
  summary: 'How many controls of a framework there is evidence of, and which have none',
  description: `${EXPLAINED} With \`framework\` the data are one object, else a list of all frameworks.`,
  tag: 'evidence',
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
