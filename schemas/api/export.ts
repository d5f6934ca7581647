import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { type ExportedOf, exportedOf } from '../ledger/columns.ts';
import { SIGNAL_CORE, SIGNAL_DETAIL } from '../ledger/signal-columns.ts';
import { defineRoute } from './contract.ts';
import { dateText, parseDate, withRange } from './fields/dates.ts';
import { isoTime, queryInteger, single } from './fields/fields.ts';
import { signal, signalColumns, signalFilters } from './signals.ts';

export const EXPORT_FORMATS = ['csv', 'json', 'ndjson', 'xlsx', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Media type of each format. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
};

const COLUMNS = { ...SIGNAL_CORE, ...SIGNAL_DETAIL };
/** Appended, so that readers that rely on column positions still find the other columns. */
const APPENDED = ['confidences', 'detections'] as const;
type ExportColumn = ExportedOf<typeof COLUMNS> | 'index' | 'hash' | (typeof APPENDED)[number];

/**
 * Columns of an export, in order: those marked in a signal's definition, the position in the chain, and those that
 * later releases added. The last one is a JSON list, which is used to count csv records.
 */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [...exportedOf(COLUMNS), 'index', 'hash', ...APPENDED];

/** One signal of an export: a subset of the columns of the signal list. */
const exportRow = signalColumns
  .extend({
    index: signal.shape.index,
    hash: signal.shape.hash,
    confidences: signalColumns.shape.confidences.meta({
      description:
        'highest confidence of each entry of `detections`, in the same order; empty without matches and for signals of earlier releases',
    }),
    detections: z.string().meta({
      description: 'the detections of `GET /dashboard/signals/{id}` as canonical JSON, as hashed',
      examples: ['[{"code":"EMAIL","count":2,"detector":"email","version":2}]'],
    }),
  })
  .pick(Object.fromEntries(EXPORT_COLUMNS.map((name) => [name, true])) as Record<ExportColumn, true>)
  .meta({ id: 'ExportRow' });
export type ExportRow = z.output<typeof exportRow>;

/** Unix ms; a bare date means the end of that day. */
const asOf = dateText
  .meta({
    description:
      'ISO 8601 date or timestamp, not in the future: exports the ledger up to that time. Default: everything stored',
  })
  .optional()
  .transform((text, context) => {
    const at = text === undefined ? undefined : parseDate(text, true);
    if (at === null) context.addIssue({ code: 'custom', message: 'Expected an ISO 8601 date or timestamp' });
    return at ?? undefined;
  });

const treeSize = queryInteger(0, 15)
  .meta({
    description:
      'exports only this many entries from the start of the ledger. Use the treeSize of an earlier export to get the same rows again',
  })
  .optional();

const exportQuery = z
  .object({
    format: z.enum(EXPORT_FORMATS).optional().meta({ description: 'default: csv' }),
    bom: z.enum(['true', 'false']).default('false').meta({
      description: 'true: start a csv file with a byte-order mark, so that Excel recognizes UTF-8',
    }),
    ...signalFilters,
    asOf,
    treeSize,
  })
  .transform(({ format = 'csv', bom, ...rest }, context) => {
    if (bom === 'true' && format !== 'csv')
      context.addIssue({
        code: 'custom',
        path: ['bom'],
        message: 'only csv supports a byte-order mark; omit bom',
      });
    return { ...withRange(rest, context), format, bom: bom === 'true' };
  });

export const exportSignals = defineRoute({
  ...endpoints.exportSignals,
  operationId: 'exportSignals',
  summary: 'Export signals',
  description: [
    'Streams a file with the signals that match the filters, newest first. Digest and row count follow as trailers. `x-as-of` and `x-tree-size` are also headers, so that `/dashboard/signals/export/manifest` can return the same figures. If an export fails, the connection is closed. `xlsx` and `parquet` have a row limit, which is checked first.',
    "In `csv`, texts that a spreadsheet would run as a formula get a leading `'`: texts that start with `=`, `+`, `-`, `@`, tab, CR, LF or NUL, and parts after `;`, tab or a line break that start with one of the first four. For example, `@cf/meta/llama` becomes `'@cf/meta/llama`. The other formats contain the values unchanged.",
  ].join('\n\n'),
  tag: 'Signals',
  auth: 'key',
  query: exportQuery,
  successStatus: 200,
  mediaTypes: EXPORT_FORMATS.map((format) => EXPORT_TYPES[format]),
  responses: { 200: z.array(exportRow) },
  headers: ['X-As-Of', 'X-Tree-Size'],
  trailers: {
    'Content-Digest': 'SHA-256 of the file as RFC 9530 spells it, `sha-256=:...:`',
    'X-Row-Count': 'signals in the file',
    'X-As-Of': 'the `asOf` that gives the same file again, together with the next',
    'X-Tree-Size': 'the `treeSize` that gives the same file again',
  },
  errors: ['EXPORT_TOO_LARGE', 'TOO_MANY_AT_ONCE'],
});

const exportManifest = z.object({
  contentDigest: z.string().meta({ description: 'value of the trailer Content-Digest' }),
  rowCount: z.int(),
  format: z.enum(EXPORT_FORMATS),
  asOf: isoTime,
  treeSize: z.int().meta({ description: 'number of ledger entries that the rows come from' }),
  complete: z.boolean().meta({
    description: 'false: some entries of the ledger were not stored yet',
  }),
  filters: z.object({
    riskLevel: z.string().optional().meta({ description: 'several separated by commas, lowest first' }),
    sandboxSlug: z.string().optional(),
    provider: z.string().optional(),
    model: z.string().optional(),
    violation: z.string().optional(),
    from: isoTime.optional(),
    to: isoTime.optional(),
  }),
  checkpoint: z
    .string()
    .nullable()
    .meta({ description: 'newest signed checkpoint of the ledger; null: none yet' }),
});
export type ExportManifest = z.output<typeof exportManifest>;

export const getExportManifest = defineRoute({
  ...endpoints.getExportManifest,
  operationId: 'getExportManifest',
  summary: 'Get digest and row count of an export',
  description:
    'Send the parameters of the export, plus `asOf` and `treeSize` from its trailers, to get the figures for the same rows.',
  tag: 'Signals',
  auth: 'key',
  query: exportQuery,
  successStatus: 200,
  responses: { 200: single(exportManifest) },
  errors: ['EXPORT_TOO_LARGE', 'TOO_MANY_AT_ONCE'],
});
