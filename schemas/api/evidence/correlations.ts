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
    sandboxSlug: sandboxSlug.optional().meta({ description: 'default: all sandboxes' }),
    windowMinutes: windowMinutes
      .default(60)
      .meta({ description: 'window length for BURST and CROSS_SANDBOX; other types have a fixed length' }),
    minSignals: minSignals.default(3).meta({ description: 'minimum number of signals of a pattern' }),
    dimensions: dimensionList
      .default([...CORRELATION_DIMENSIONS])
      .transform(inOrder)
      .meta({ description: 'dimensions to group signals by; default: all' }),
  })
  .transform(withRange);
/** `range`: Unix ms, both ends inclusive; an omitted end is undefined. */
export type NewCorrelationRun = z.output<typeof newRun>;

const count = z.int().nonnegative();
const pattern = z.object({
  id: uuid.meta({ description: 'stable for the same pattern in the same window' }),
  type: z.enum(FINDING_TYPES),
  key: z.string().meta({ description: 'subject of the pattern, e.g. `violation:EMAIL`' }),
  source: z.enum(FINDING_SOURCES),
  status: z.enum(FINDING_STATUSES).meta({
    description:
      'OPEN: its time window is still open; CLOSED: final; RETRACTED: no longer significant, or fewer than minSignals left after erasures. Patterns of scans are never OPEN',
  }),
  version: z.int().meta({
    description: 'ledger index of the last signal scanned; for STREAM, of the entry that last changed it',
  }),
  windowStart: isoTime,
  windowEnd: isoTime.meta({ description: 'end of the window, exclusive' }),
  count: count.meta({ description: 'number of its signals' }),
  baseline: z.number().meta({ description: 'expected value: a number of signals, or a share of them' }),
  observed: z.number().meta({ description: 'observed value, in the same unit' }),
  score: z.number().min(0).max(1).meta({
    description: 'confidence, from 0.5 (barely significant) to 1 (beyond chance)',
  }),
  test: z.string().meta({ description: 'statistical test used' }),
  pValue: z.number().min(0).max(1),
  riskLevel: z.enum(RISK_LEVELS).meta({ description: 'highest risk level of its signals' }),
  signalIds: z.array(uuid).max(MAX_SIGNAL_IDS).meta({ description: 'first of its signals' }),
  firstSeen: isoTime.meta({ description: 'time of its earliest signal' }),
  lastSeen: isoTime,
  description: z.string(),
});
export type ShownPattern = z.output<typeof pattern>;

const correlationRun = z
  .object({
    id: uuid.meta({ description: 'for STREAM: the value of its pattern' }),
    source: z.enum(FINDING_SOURCES).meta({
      description: 'RUN: a scan of history; STREAM: one pattern, detected in real time',
    }),
    status: z.enum(CORRELATION_RUN_STATUSES).meta({
      description: 'FAILED: see `failure`; STREAM: RUNNING while its pattern is OPEN',
    }),
    parameters: z.object({
      startDate: isoTime.meta({ description: 'for STREAM: time window of its pattern' }),
      endDate: isoTime,
      sandboxSlug: z.string().nullable().meta({ description: 'null: all sandboxes' }),
      windowMinutes,
      minSignals,
      dimensions: z.array(dimension),
    }),
    analyzedSignals: count.meta({
      description: 'signals scanned so far; for STREAM: signals of its pattern',
    }),
    totalSignals: count.meta({
      description: 'signals in the range at the start of the scan; for STREAM: signals of its pattern',
    }),
    progress: z.number().min(0).max(1),
    patternCount: count
      .nullable()
      .meta({ description: 'number of patterns; null until the scan has finished' }),
    patternsLeftOut: count.meta({
      description: 'patterns not shown: those with the lowest confidence, if there are too many',
    }),
    patterns: z.array(pattern).nullable().meta({
      description:
        'highest confidence first. RUN: null in lists and until COMPLETED; STREAM: its one pattern',
    }),
    failure: z.string().nullable(),
    createdAt: isoTime.meta({ description: 'for STREAM: time of detection' }),
    completedAt: isoTime.nullable().meta({ description: 'for STREAM: last change; null while OPEN' }),
  })
  .meta({ id: 'CorrelationRun' });
export type ShownCorrelationRun = z.output<typeof correlationRun>;

const success = z.literal(true);
const one = z.object({ success, data: correlationRun });

export const detectCorrelations = defineRoute({
  ...endpoints.detectCorrelations,
  operationId: 'detectCorrelations',
  summary: 'Scan history for patterns',
  description: [
    'Finds patterns that single signals do not show: spikes, recurring violations, the same violation in several sandboxes, regressions of new models, rising risk, and campaigns of similar attacks. The baseline is the previous 28 days.',
    'A long scan returns RUNNING and continues: `GET /evidence/correlations/{id}` returns progress and patterns. The newest scans are kept. Erased signals do not count, and are removed from earlier results. A retry with the same Idempotency-Key returns the scan in its current state.',
  ].join('\n\n'),
  tag: 'Patterns',
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
  summary: 'List patterns and scans',
  description:
    'Newest first. A pattern detected in real time has the shape of a scan with one pattern. Scans are listed without their patterns; `GET /evidence/correlations/{id}` returns them. Erased signals are not shown.',
  tag: 'Patterns',
  auth: 'key',
  costly: 'read',
  query: z
    .object({
      source: z.enum(FINDING_SOURCES).optional().meta({
        description: 'only scans of history (RUN), or only patterns detected in real time (STREAM)',
      }),
      type: z
        .enum(FINDING_TYPES)
        .optional()
        .meta({ description: 'only patterns of this type detected in real time; excludes scans' }),
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
  summary: 'Get a pattern or scan',
  description:
    'Returns a scan with progress and patterns, or one pattern detected in real time. If its process stopped, a scan becomes FAILED within a minute. Erased signals are not shown.',
  tag: 'Patterns',
  auth: 'key',
  costly: 'read',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});
