import { z } from 'zod';
import { MAX_RANGE_DAYS, MAX_SIGNAL_IDS } from '../../correlation-bounds.ts';
import * as endpoints from '../../endpoints.ts';
import {
  CORRELATION_DIMENSIONS,
  CORRELATION_RUN_STATUSES,
  FINDING_SOURCES,
  FINDING_STATUSES,
  FINDING_TYPES,
  RISK_LEVELS,
} from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { createdQuery, dateFields, withRange } from '../fields/dates.ts';
import { idParams, isoTime, sandboxSlug, uuid } from '../fields/fields.ts';
import { pageQuery, pagination } from '../fields/paging.ts';
import { dimension, dimensionList, inOrder, minSignals, windowMinutes } from './correlation-settings.ts';

const newRun = z
  .object({
    ...dateFields({
      start: `30 days before the end of the range; at most ${MAX_RANGE_DAYS} days before it`,
      end: 'now',
    }),
    sandboxSlug: sandboxSlug.optional().meta({ description: 'default: the signals of all sandboxes' }),
    windowMinutes: windowMinutes
      .default(60)
      .meta({ description: 'length of the windows of BURST and CROSS_SANDBOX; the others’ are fixed' }),
    minSignals: minSignals.default(3).meta({ description: 'a pattern has so many signals at least' }),
    dimensions: dimensionList
      .default([...CORRELATION_DIMENSIONS])
      .transform(inOrder)
      .meta({ description: 'what signals are told apart by; default: all' }),
  })
  .transform(withRange);
/** `range`: Unix ms, both ends inclusive; an end that was left out is undefined. */
export type NewCorrelationRun = z.output<typeof newRun>;

const count = z.int().nonnegative();
const pattern = z.object({
  id: uuid.meta({ description: 'the same whenever the same is found in the same window' }),
  type: z.enum(FINDING_TYPES),
  key: z.string().meta({ description: 'what it is about, as `violation:EMAIL`' }),
  source: z.enum(FINDING_SOURCES),
  status: z.enum(FINDING_STATUSES).meta({
    description:
      'OPEN: its window is still open; CLOSED: it stays as it is; RETRACTED: it does not hold any more, or so many of its signals were erased since that fewer than minSignals are left. Those of runs are never OPEN',
  }),
  version: z.int().meta({
    description:
      'index in the ledger of the last signal that the run looked at; of STREAM of the entry that changed it',
  }),
  windowStart: isoTime,
  windowEnd: isoTime.meta({ description: 'does not belong to the window' }),
  count: count.meta({ description: 'signals that it is made of' }),
  baseline: z.number().meta({ description: 'what was to be expected: signals, or a share of them' }),
  observed: z.number().meta({ description: 'what came, in the same unit' }),
  score: z.number().min(0).max(1).meta({
    description: '0.5 where it only just counts as a pattern, 1 where chance is out of the question',
  }),
  test: z.string().meta({ description: 'the statistical test' }),
  pValue: z.number().min(0).max(1),
  riskLevel: z.enum(RISK_LEVELS).meta({ description: 'the highest of its signals' }),
  signalIds: z.array(uuid).max(MAX_SIGNAL_IDS).meta({ description: 'the first of its signals' }),
  firstSeen: isoTime.meta({ description: 'the earliest of its signals' }),
  lastSeen: isoTime,
  description: z.string(),
});
export type ShownPattern = z.output<typeof pattern>;

const correlationRun = z
  .object({
    id: uuid.meta({ description: 'of STREAM: that of its pattern' }),
    source: z.enum(FINDING_SOURCES).meta({
      description: 'RUN: a run over history; STREAM: one pattern, found as signals came',
    }),
    status: z.enum(CORRELATION_RUN_STATUSES).meta({
      description: 'FAILED: `failure` says why; of STREAM: RUNNING while its pattern is OPEN',
    }),
    parameters: z.object({
      startDate: isoTime.meta({ description: 'of STREAM: the window of its pattern' }),
      endDate: isoTime,
      sandboxSlug: z.string().nullable().meta({ description: 'null: all sandboxes' }),
      windowMinutes,
      minSignals,
      dimensions: z.array(dimension),
    }),
    analyzedSignals: count.meta({
      description: 'so far, while it is RUNNING; of STREAM: signals of its pattern',
    }),
    totalSignals: count.meta({
      description: 'signals of the range when the run began; of STREAM: signals of its pattern',
    }),
    progress: z.number().min(0).max(1),
    patternCount: count.nullable().meta({ description: 'patterns that were found; null before the end' }),
    patternsLeftOut: count.meta({
      description: 'of these not shown: the least certain ones, where there are too many to keep',
    }),
    patterns: z.array(pattern).nullable().meta({
      description:
        'the most certain first. Of RUN: null where it is not COMPLETED, and in lists; of STREAM: the one pattern, in lists too',
    }),
    failure: z.string().nullable(),
    createdAt: isoTime.meta({ description: 'of STREAM: when it was found' }),
    completedAt: isoTime
      .nullable()
      .meta({ description: 'of STREAM: when it changed last; null while it is OPEN' }),
  })
  .meta({ id: 'CorrelationRun' });
export type ShownCorrelationRun = z.output<typeof correlationRun>;

const success = z.literal(true);
const one = z.object({ success, data: correlationRun });

export const detectCorrelations = defineRoute({
  ...endpoints.detectCorrelations,
  operationId: 'detectCorrelations',
  summary: 'Looks for patterns in the signals of a period that no single signal shows',
  description:
    'Bursts, recurring violations, the same violation in several sandboxes at once, new models that are worse, climbing risk, and campaigns of near-duplicate attacks. What is unusual is judged by the 28 days before. A run that takes long answers RUNNING and goes on: `GET /evidence/correlations/{id}` has its progress and its patterns. The newest runs are kept. Erased signals count nowhere, and leave the patterns of earlier runs. A repeat with the same Idempotency-Key shows the run as it is by then.',
  tag: 'evidence',
  auth: 'key',
  costly: 'correlation',
  body: newRun,
  idempotent: true,
  successStatus: 201,
  responses: { 201: one },
  errors: ['SANDBOX_NOT_FOUND', 'CORRELATION_TOO_LARGE'],
});

export const listCorrelations = defineRoute({
  ...endpoints.listCorrelations,
  operationId: 'listCorrelations',
  summary: 'Patterns that were found as signals came, and the runs over history that are kept, newest first',
  description:
    'A pattern that was found as signals came has the shape of a run with one pattern. Runs come without their patterns, which `GET /evidence/correlations/{id}` shows. Signals that were erased since are not shown.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  query: z
    .object({
      source: z.enum(FINDING_SOURCES).optional().meta({
        description: 'only runs over history (RUN), or only what was found as signals came (STREAM)',
      }),
      type: z
        .enum(FINDING_TYPES)
        .optional()
        .meta({ description: 'only patterns of this type that were found as signals came; no runs' }),
      ...createdQuery,
      ...pageQuery,
    })
    .transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(correlationRun), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getCorrelation = defineRoute({
  ...endpoints.getCorrelation,
  operationId: 'getCorrelation',
  summary: 'One run: how far it is, and its patterns; or one pattern that was found as signals came',
  description:
    'A run whose process ended before it was done says FAILED within a minute. Signals that were erased since are not shown.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});
