import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';
import { dateQuery, toDateRange, withRange } from './fields/dates.ts';
import { isoTime, single } from './fields/fields.ts';
import { signalFilters } from './signals.ts';

const count = z.int().nonnegative();

/** Maximum number of models in `modelBreakdown`: clients may use any names. */
export const MAX_MODELS = 100;

const riskCounts = z
  .object({ LOW: count, MEDIUM: count, HIGH: count, CRITICAL: count })
  .meta({ id: 'RiskCounts' });
export type RiskCounts = z.output<typeof riskCounts>;

const freshness = z
  .object({
    lagSeconds: z.number().nonnegative().nullable().meta({
      description: 'age of the oldest accepted record that is not counted yet; null: unknown at the moment',
    }),
    complete: z.boolean().meta({ description: 'whether all accepted records are counted' }),
  })
  .meta({ id: 'Freshness' });
export type Freshness = z.output<typeof freshness>;

const asOf = isoTime.meta({ description: 'time of the query' });

/** Audits by outcome; `stored` audits have a signal. Each audit counts once. */
const auditCounts = z
  .object({
    stored: count.meta({ description: 'with a signal' }),
    inFlight: count.meta({ description: 'waiting for their analysis' }),
    retrying: count.meta({ description: 'waiting for another attempt' }),
    deadLettered: count.meta({ description: 'ended FAILED' }),
    erased: count,
  })
  .meta({ id: 'AuditCounts' });
export type AuditCounts = z.output<typeof auditCounts>;

export const stats = z
  .object({
    totalAudits: count.meta({ description: 'audits accepted in the period, in any status' }),
    auditBreakdown: auditCounts.meta({ description: 'the same audits by status' }),
    riskBreakdown: riskCounts.meta({ description: 'signals of the period, by risk level' }),
    topViolations: z.array(z.object({ code: z.string(), count })).meta({
      description: 'signals per code, most frequent first; a signal counts for each of its codes',
    }),
    sandboxBreakdown: z
      .array(z.object({ slug: z.string(), count }))
      .meta({ description: 'signals per sandbox, most frequent first' }),
    modelBreakdown: z
      .array(z.object({ provider: z.string(), model: z.string(), count }))
      .max(MAX_MODELS)
      .meta({
        description: `signals per model, most frequent first; at most ${MAX_MODELS} models`,
      }),
    asOf,
    freshness,
  })
  .meta({ id: 'Stats' });
export type Stats = z.output<typeof stats>;

export const getStats = defineRoute({
  ...endpoints.getStats,
  operationId: 'getStats',
  summary: 'Get statistics',
  description: [
    'Without `from`, counts start at the first audit; without `to`, they end at `asOf`.',
    '`totalAudits` and `auditBreakdown` count by time of acceptance and include erased audits, like `GET /audits`. The other numbers count by time of the signal, like `GET /dashboard/signals`.',
  ].join('\n\n'),
  tag: 'Statistics',
  auth: 'key',
  costly: 'read',
  query: z
    .object({ sandboxSlug: signalFilters.sandboxSlug, ...dateQuery })
    .transform(({ sandboxSlug, ...dates }, context) => ({ sandboxSlug, range: toDateRange(dates, context) })),
  successStatus: 200,
  responses: { 200: single(stats) },
  errors: [],
});

const DAY_MS = 86_400_000;

/**
 * Intervals by name: length in ms, start of the first one in 1970, and number of points in a series without a start.
 * Weeks start on Monday.
 */
export const INTERVALS = {
  minute: { lengthMs: 60_000, firstMs: 0, byDefault: 60 },
  hour: { lengthMs: 3_600_000, firstMs: 0, byDefault: 24 },
  day: { lengthMs: DAY_MS, firstMs: 0, byDefault: 30 },
  week: { lengthMs: 7 * DAY_MS, firstMs: 4 * DAY_MS, byDefault: 52 },
} as const;
export type Interval = keyof typeof INTERVALS;
export const INTERVAL_NAMES = Object.keys(INTERVALS) as [Interval, ...Interval[]];

/** Maximum number of points in a series. */
export const MAX_POINTS = 1_500;
/** Maximum when the service chooses the interval: more bars would be indistinguishable. */
export const MAX_AUTO_POINTS = 400;
/** The service chooses the interval. */
export const AUTO = 'auto';

const timeseries = z.object({
  data: z
    .array(z.object({ at: isoTime, count, riskLevels: riskCounts }))
    .meta({ description: 'one per interval of the period, without gaps; `at` is its start in UTC' }),
  interval: z.enum(INTERVAL_NAMES),
  from: isoTime,
  to: isoTime,
  asOf,
  freshness,
});
export type Timeseries = z.output<typeof timeseries>;

export const getTimeseries = defineRoute({
  ...endpoints.getTimeseries,
  operationId: 'getTimeseries',
  summary: 'Get signals over time',
  description: `Without \`to\`, the series ends now; without \`from\`, it has \
${INTERVAL_NAMES.map((name) => `${INTERVALS[name].byDefault} ${name}s`).join(', ')}. The first and the last interval count \
only what lies within the period, so that the counts add up to the total of \`GET /dashboard/signals\` with the same filters \
and the answer's \`from\` and \`to\`. A week starts on Monday. \`interval=${AUTO}\` is the finest one with at most \
${MAX_AUTO_POINTS} points; without \`from\` its series starts on the day of the first signal that matches. More than \
${MAX_POINTS} points are refused with 400.`,
  tag: 'Statistics',
  auth: 'key',
  costly: 'read',
  query: z
    .object({ interval: z.enum([...INTERVAL_NAMES, AUTO]).default('day'), ...signalFilters })
    .transform(withRange),
  successStatus: 200,
  responses: { 200: timeseries },
  errors: [],
});

const reconciliation = z
  .object({
    accepted: count.meta({
      description: 'audits that ever reached the audit list; counted separately, to detect lost rows',
    }),
    stored: count.meta({
      description: 'signals in `GET /dashboard/signals`',
    }),
    listed: count.meta({ description: 'audits in the list that completed and were not erased' }),
    inFlight: count.meta({ description: 'waiting for their analysis' }),
    retrying: count.meta({ description: 'waiting for another attempt' }),
    deadLettered: count.meta({ description: 'ended FAILED' }),
    erased: count,
    balanced: z.boolean().meta({
      description:
        'accepted = stored + inFlight + retrying + deadLettered + erased, and stored = listed, and completed = ledgerSignals, and signalDifference = 0, and missing = 0',
    }),
    difference: z.int().meta({
      description: 'accepted minus listed, inFlight, retrying, deadLettered and erased',
    }),
    admitted: count.meta({
      description: `audits accepted from \`since\` on that were answered with 202 (signals of the platform: with 201), counted when \
they were; batches count their accepted items, repeats under an Idempotency-Key do not count. Up to a second late where \
other processes answer too`,
    }),
    since: isoTime
      .nullable()
      .meta({ description: 'when counting of `admitted` started for this customer; null: not started' }),
    missing: count.meta({
      description: `admitted audits that did not reach the audit list, and are not among the records that the tables have not \
taken in yet`,
    }),
    unacknowledged: count.meta({
      description: `audits accepted from \`since\` on that are not in \`admitted\`: their answer was lost, or the process that \
counted them. No fault`,
    }),
    completed: count.meta({
      description: 'audits in the list with a signal, erased or not, up to the stored end of the ledger',
    }),
    ledgerSignals: count.meta({
      description: 'signals in the ledger, erased or not, up to its stored end',
    }),
    erasedSignals: count.meta({ description: 'signals erased by entries of the ledger' }),
    signalDifference: z.int().meta({
      description:
        'ledgerSignals minus erasedSignals minus stored signals. Above 0: signals are missing from their table. Below 0: the table has signals that the ledger does not have, or that were erased',
    }),
    asOf,
    freshness,
  })
  .meta({ id: 'Reconciliation' });
export type Reconciliation = z.output<typeof reconciliation>;

export const getReconciliation = defineRoute({
  ...endpoints.getReconciliation,
  operationId: 'getBooks',
  summary: 'Reconcile audits',
  description: [
    'Every audit is in exactly one of `stored`, `inFlight`, `retrying`, `deadLettered` and `erased`. Each count is compared with an independent one: `admitted` (counted at ingest), `accepted` (one permanent note per audit), `ledgerSignals` and `erasedSignals` (entries of the ledger).',
    '`balanced` is false if they differ for any reason other than audits in progress.',
  ].join('\n\n'),
  tag: 'Statistics',
  auth: 'key',
  costly: 'read',
  successStatus: 200,
  responses: { 200: single(reconciliation) },
  errors: [],
});
