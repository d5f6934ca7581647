import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { shownAs } from '../ledger/columns.ts';
import { SIGNAL_V1 } from '../ledger/signal.v1.ts';
import { SIGNAL_CORE, SIGNAL_DETAIL } from '../ledger/signal-columns.ts';
import { VIOLATION_CODES } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { dateQuery, withRange } from './fields/dates.ts';
import {
  hash,
  idParams,
  nameFilter,
  providerFilter,
  riskLevelFilter,
  single,
  uuid,
} from './fields/fields.ts';
import { pageQuery, pagination, rowsOnce } from './fields/paging.ts';

/** The hashed columns of all versions. */
export const signalColumns = z.object({ ...shownAs(SIGNAL_CORE), ...shownAs(SIGNAL_DETAIL) });

const [first] = SIGNAL_V1.shapes;
type Later = Exclude<keyof typeof signalColumns.shape, keyof typeof first.core | keyof typeof first.detail>;
/** Absent from signals of older versions. */
const later = Object.fromEntries(
  Object.keys(signalColumns.shape)
    .filter((name) => !(name in first.core || name in first.detail))
    .map((name) => [name, true]),
) as Record<Later, true>;
const { auditId, ...columns } = signalColumns.partial(later).shape;

/** The hashed columns, plus fields that are looked up or computed. */
export const signal = z
  .object({
    id: uuid.meta({ description: 'the audit id' }),
    auditId,
    customerId: uuid,
    sandbox: z.object({ slug: z.string(), name: z.string() }).optional(),
    ...columns,
    anonymized: z.literal(true).optional(),
    index: z.int().meta({ description: 'index in the ledger' }),
    previousHash: hash,
    hash,
  })
  .meta({ id: 'Signal' });
export type Signal = z.output<typeof signal>;

export const signalFilters = {
  riskLevel: riskLevelFilter,
  sandboxSlug: nameFilter,
  provider: providerFilter,
  model: nameFilter,
  violation: z.enum(VIOLATION_CODES as readonly [string, ...string[]]).optional(),
  ...dateQuery,
};

export const listSignals = defineRoute({
  ...endpoints.listSignals,
  operationId: 'listSignals',
  summary: 'List signals',
  description:
    'Newest first. A signal is the result of one audit and appears a moment after it. Filters combine with AND.',
  tag: 'Signals',
  auth: 'key',
  costly: 'read',
  query: z.object({ ...signalFilters, ...pageQuery, ...rowsOnce }).transform(withRange),
  successStatus: 200,
  responses: {
    200: z.object({
      data: z.array(signal),
      signals: z
        .array(signal)
        .optional()
        .meta({ description: 'the same as `data`; missing with `rows=once`' }),
      pagination,
    }),
  },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getSignal = defineRoute({
  ...endpoints.getSignal,
  operationId: 'getSignal',
  summary: 'Get a signal',
  description:
    'By audit id. `reasoning` describes each match, with values masked. `hash` and `index` locate the signal in the ledger.',
  tag: 'Signals',
  auth: 'key',
  costly: 'read',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(signal) },
  errors: ['NOT_FOUND'],
});
