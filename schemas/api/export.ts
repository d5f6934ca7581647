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
/** Added at the end, so that a reader that knows columns by their place finds the others where they were. */
const APPENDED = ['confidences', 'detections'] as const;
type ExportColumn = ExportedOf<typeof COLUMNS> | 'index' | 'hash' | (typeof APPENDED)[number];

/**
 * Columns of an export, in order: those marked in the definition of a signal, the place in the chain, and those that
 * later releases added. The last one is a JSON list, by which records of csv are counted.
 */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [...exportedOf(COLUMNS), 'index', 'hash', ...APPENDED];

/** One signal of an export: a subset of the columns of the signal list. */
const exportRow = signalColumns
  .extend({
    index: signal.shape.index,
    hash: signal.shape.hash,
    confidences: signalColumns.shape.confidences.meta({
      description:
        'the highest confidence among the findings of each of `detections`, in the same order; empty for signals that earlier releases made, and where nothing was found',
    }),
    detections: z.string().meta({
      description:
        'the detections as one text: the JSON of the list that `GET /dashboard/signals/:id` shows, keys in order and without white space, as it was hashed',
      examples: ['[{"code":"EMAIL","count":2,"detector":"email","version":2}]'],
    }),
  })
  .pick(Object.fromEntries(EXPORT_COLUMNS.map((name) => [name, true])) as Record<ExportColumn, true>)
  .meta({ id: 'ExportRow' });
export type ExportRow = z.output<typeof exportRow>;

/** Unix ms; a bare date is the end of that day. */
const asOf = dateText
  .meta({
    description:
      'ISO 8601 date or timestamp, not in the future: only what the ledger held then, up to its first entry that is younger. Without it: all that is stored',
  })
  .optional()
  .transform((text, context) => {
    const at = text === undefined ? undefined : parseDate(text, true);
    if (at === null) context.addIssue({ code: 'custom', message: 'asOf is an ISO 8601 date or timestamp' });
    return at ?? undefined;
  });

const treeSize = queryInteger('treeSize', 0, 15)
  .meta({
    description:
      'only the first so many entries of the ledger. With the treeSize of an earlier answer the same rows are exported again, whatever was stored since',
  })
  .optional();

const exportQuery = z
  .object({
    format: z.enum(EXPORT_FORMATS).optional().meta({ description: 'csv unless given' }),
    bom: z.enum(['true', 'false']).default('false').meta({
      description:
        'true: a csv file starts with a byte-order mark, by which Excel recognises UTF-8; other formats have none',
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
        message: 'only csv has a byte-order mark; leave it out',
      });
    return { ...withRange(rest, context), format, bom: bom === 'true' };
  });

export const exportSignals = defineRoute({
  ...endpoints.exportSignals,
  operationId: 'exportSignals',
  summary: 'Signals as a file, newest first, with every filter of the list',
  description: [
    'The file is streamed. Its digest and its number of rows follow as trailers, where the way to the client passes trailers on; `x-as-of` and `x-tree-size` are headers too, so that `/dashboard/signals/export/manifest` says the same. An export that cannot be finished breaks the connection off. `xlsx` and `parquet` have a limit of rows, which is checked first.',
    "In `csv`, a text that a spreadsheet would run as a formula gets a leading `'`: one that begins with `=`, `+`, `-`, `@`, tab, CR, LF or NUL, and each part after a `;`, tab or line break that begins with one of the first four. So the model `@cf/meta/llama` is written `'@cf/meta/llama`. `xlsx` needs no such mark: its texts are cells of type text, its numbers, booleans and times have their types. `json`, `ndjson`, `xlsx` and `parquet` have the values as they are.",
  ].join('\n\n'),
  tag: 'dashboard',
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
  contentDigest: z.string().meta({ description: 'as in the trailer Content-Digest' }),
  rowCount: z.int(),
  format: z.enum(EXPORT_FORMATS),
  asOf: isoTime,
  treeSize: z.int().meta({ description: 'entries of the ledger that the rows were taken from' }),
  complete: z.boolean().meta({
    description: 'false: the ledger holds entries that were not stored yet when this was asked',
  }),
  filters: z.object({
    riskLevel: z.string().optional().meta({ description: 'several separated by commas, the lowest first' }),
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
    .meta({ description: 'newest signed note of the ledger; null: there is none yet' }),
});
export type ExportManifest = z.output<typeof exportManifest>;

export const getExportManifest = defineRoute({
  ...endpoints.getExportManifest,
  operationId: 'getExportManifest',
  summary: 'Digest and number of rows of an export with the same parameters',
  description:
    'Send the parameters of the export, and with them the `asOf` and `treeSize` of its trailers: then digest and count are those of the same rows.',
  tag: 'dashboard',
  auth: 'key',
  query: exportQuery,
  successStatus: 200,
  responses: { 200: single(exportManifest) },
  errors: ['EXPORT_TOO_LARGE', 'TOO_MANY_AT_ONCE'],
});
