import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';
import { dateQuery, toDateRange, withRange } from './fields/dates.ts';
import { isoTime, single } from './fields/fields.ts';
import { signalFilters } from './signals.ts';

const count = z.int().nonnegative();

/** Models in `modelBreakdown`: clients name them as they like. */
export const MAX_MODELS = 100;

const riskCounts = z
  .object({ LOW: count, MEDIUM: count, HIGH: count, CRITICAL: count })
  .meta({ id: 'RiskCounts' });
export type RiskCounts = z.output<typeof riskCounts>;

const freshness = z
  .object({
    lagSeconds: z.number().nonnegative().nullable().meta({
      description:
        'age of the oldest record that was taken in and is not counted yet; null: it cannot be told now',
    }),
    complete: z.boolean().meta({ description: 'everything that was taken in is counted' }),
  })
  .meta({ id: 'Freshness' });
export type Freshness = z.output<typeof freshness>;

const asOf = isoTime.meta({ description: 'when the numbers were read' });

/** What became of audits: `stored` have a signal. Each audit counts once. */
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
    totalAudits: count.meta({ description: 'audits accepted in the period, whatever became of them' }),
    auditBreakdown: auditCounts.meta({ description: 'the same audits by what became of them' }),
    riskBreakdown: riskCounts.meta({ description: 'signals made in the period, by risk level' }),
    topViolations: z.array(z.object({ code: z.string(), count })).meta({
      description: 'signals per code, the most frequent first; a signal counts for each of its codes',
    }),
    sandboxBreakdown: z
      .array(z.object({ slug: z.string(), count }))
      .meta({ description: 'signals per sandbox, the most frequent first' }),
    modelBreakdown: z
      .array(z.object({ provider: z.string(), model: z.string(), count }))
      .max(MAX_MODELS)
      .meta({
        description: `signals per model, the most frequent first; of more than ${MAX_MODELS} models those`,
      }),
    asOf,
    freshness,
  })
  .meta({ id: 'Stats' });
export type Stats = z.output<typeof stats>;

export const getStats = defineRoute({
  ...endpoints.getStats,
  operationId: 'getStats',
  summary: 'Numbers over the audits and signals of a period',
  description: `Without \`from\`: from the first one on; without \`to\`: up to \`asOf\`. \`totalAudits\` and \`auditBreakdown\` go by when \
audits were accepted, and count those that were erased since, as \`GET /audits\` lists them; the other numbers go by when \
signals were made, as \`GET /dashboard/signals\` lists them.`,
  tag: 'dashboard',
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
 * Intervals by name: length in ms, where the first one of 1970 starts, and number of points in a series without a start.
 * A week starts on Monday.
 */
export const INTERVALS = {
  minute: { lengthMs: 60_000, firstMs: 0, byDefault: 60 },
  hour: { lengthMs: 3_600_000, firstMs: 0, byDefault: 24 },
  day: { lengthMs: DAY_MS, firstMs: 0, byDefault: 30 },
  week: { lengthMs: 7 * DAY_MS, firstMs: 4 * DAY_MS, byDefault: 52 },
} as const;
export type Interval = keyof typeof INTERVALS;
export const INTERVAL_NAMES = Object.keys(INTERVALS) as [Interval, ...Interval[]];

/** Maximum of points in a series. */
export const MAX_POINTS = 1_500;
/** The same where the service chooses the interval: more bars cannot be told apart. */
export const MAX_AUTO_POINTS = 400;
/** The service chooses the interval. */
export const AUTO = 'auto';

const timeseries = z.object({
  data: z
    .array(z.object({ at: isoTime, count, riskLevels: riskCounts }))
    .meta({ description: 'one per interval of the period, without a gap; `at` is its begin in UTC' }),
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
  summary: 'Signals per minute, hour, day or week, with the filters of the list',
  description: `Without \`to\` the series ends now; without \`from\` it has \
${INTERVAL_NAMES.map((name) => `${INTERVALS[name].byDefault} ${name}s`).join(', ')}. The first and the last interval count \
only what lies within the period, so that the counts add up to the total of \`GET /dashboard/signals\` with the same filters \
and the answer's \`from\` and \`to\`. A week starts on Monday. \`interval=${AUTO}\` is the finest one with at most \
${MAX_AUTO_POINTS} points; without \`from\` its series starts on the day of the first signal that matches. More than \
${MAX_POINTS} points are refused with 400.`,
  tag: 'dashboard',
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
      description:
        'audits that reached the audit list, of all time; counted apart from it, so that a row it lost shows',
    }),
    stored: count.meta({
      description:
        'signals that are served, as `GET /dashboard/signals` lists them; counted in their own table',
    }),
    listed: count.meta({ description: 'audits of the list that completed and were not erased' }),
    inFlight: count.meta({ description: 'waiting for their analysis' }),
    retrying: count.meta({ description: 'waiting for another attempt' }),
    deadLettered: count.meta({ description: 'ended FAILED' }),
    erased: count,
    balanced: z.boolean().meta({
      description:
        'accepted = stored + inFlight + retrying + deadLettered + erased, and stored = listed, and completed = ledgerSignals, and signalDifference = 0, and missing = 0',
    }),
    difference: z.int().meta({
      description: 'accepted without listed, inFlight, retrying, deadLettered and erased',
    }),
    admitted: count.meta({
      description: `audits accepted from \`since\` on that were answered with 202 (signals of the platform: with 201), counted when \
they were; batches count their accepted items, repeats under an Idempotency-Key do not count. Up to a second late where \
other processes answer too`,
    }),
    since: isoTime
      .nullable()
      .meta({ description: 'when the counting of `admitted` began for this customer; null: not yet' }),
    missing: count.meta({
      description: `admitted audits that did not reach the audit list, and are not among the records that the tables have not \
taken in yet`,
    }),
    unacknowledged: count.meta({
      description: `audits accepted from \`since\` on that are not in \`admitted\`: their answer was lost, or the process that \
counted them. No fault`,
    }),
    completed: count.meta({
      description:
        'audits of the list that have a signal or had one that was erased, as far as the ledger is stored',
    }),
    ledgerSignals: count.meta({
      description: 'signals in the hash chain, erased or not, as far as the ledger is stored',
    }),
    erasedSignals: count.meta({ description: 'those of them that erasures in the hash chain took away' }),
    signalDifference: z.int().meta({
      description:
        'ledgerSignals without erasedSignals and without the signals that are served. Above 0: signals are gone from their table. Below 0: signals are served that the chain does not have, or that were erased',
    }),
    asOf,
    freshness,
  })
  .meta({ id: 'Books' });
export type Reconciliation = z.output<typeof reconciliation>;

export const getReconciliation = defineRoute({
  ...endpoints.getReconciliation,
  operationId: 'getBooks',
  summary: 'What became of every accepted audit, and whether it adds up',
  description: `Every audit stands in exactly one of stored, inFlight, retrying, deadLettered and erased: \`stored\` counts the \
signals that are served, the others come from the audit list. Each is compared with a number from elsewhere: \`admitted\` is \
counted where audits are answered, \`accepted\` is noted once for each audit and never deleted, \`ledgerSignals\` and \
\`erasedSignals\` are entries of the hash chain. \`balanced\` is false when one of these differs for another reason than that \
audits are still in progress. Clocks have no part in it: what is in progress is known by its place in the log.`,
  tag: 'dashboard',
  auth: 'key',
  costly: 'read',
  successStatus: 200,
  responses: { 200: single(reconciliation) },
  errors: [],
});
