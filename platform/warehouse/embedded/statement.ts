import type { RawInsertFormat, Session } from 'chdb';
import {
  firstKeyword,
  hasSeveralStatements,
  type InsertHeader,
  insertHeader,
  maskLiterals,
  outputFormat,
  placeholders,
} from '../client/sql-text.ts';
import { EngineError } from './error.ts';
import { bindParams } from './params.ts';
import { refuseReach } from './reach.ts';
import type { StatementRequest } from './request.ts';

/** Formats whose separate blocks can be concatenated. The others frame each block. */
const BLOCKWISE_FORMATS = new Set([
  'JSONEachRow',
  'JSONCompactEachRow',
  'JSONStringsEachRow',
  'JSONCompactStringsEachRow',
  'TabSeparated',
  'TSV',
  'TabSeparatedRaw',
  'TSVRaw',
  'CSV',
  'LineAsString',
  'Null',
]);
const INSERT_FORMATS = new Set<string>([
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'CSVWithNames',
  'TSV',
  'TabSeparated',
  'TSVWithNames',
  'TabSeparatedWithNames',
]);
const READING_KEYWORDS = new Set([
  'SELECT',
  'WITH',
  'FROM',
  '(',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXISTS',
  'EXPLAIN',
]);
const STREAMED_KEYWORDS = new Set(['SELECT', 'WITH', 'FROM', '(']);

/** An analysed statement that has not run yet. */
export interface Statement {
  readonly kind: 'stream' | 'whole' | 'insert';
  /** Inserts use separate sessions, so that open exports cannot delay them. */
  readonly isInsert: boolean;
  /** True when the statement itself changes its session's settings. */
  readonly altersSession: boolean;
  readonly format: string;
  readonly sql: string;
  readonly bound: Record<string, string | null> | null;
  readonly insert: { readonly header: InsertHeader; readonly data: Buffer } | null;
}

/** Decides how to run a request, and refuses what the engine accepts but ClickHouse's HTTP interface does not. */
export function understand(request: StatementRequest): Statement {
  const header = request.data === null ? null : insertHeader(request.sql);
  if (header && request.data) {
    if (!INSERT_FORMATS.has(header.format)) {
      throw new EngineError(
        73,
        'UNKNOWN_FORMAT',
        `The embedded warehouse does not support ${header.format} input`,
      );
    }
    return { ...BASE, kind: 'insert', isInsert: true, insert: { header, data: request.data } };
  }
  const text = request.data?.length ? `${request.sql}\n${request.data.toString('utf8')}` : request.sql;
  const masked = maskLiterals(text);
  const keyword = firstKeyword(masked);
  if (keyword === '') throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error: Empty query');
  if (hasSeveralStatements(masked)) {
    throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  }
  refuseReach(text, masked);
  if (request.isReadOnly && !READING_KEYWORDS.has(keyword)) {
    throw new EngineError(164, 'READONLY', 'Cannot execute query in readonly mode: use POST');
  }
  const format = outputFormat(masked) ?? request.defaultFormat;
  const wanted = placeholders(text, masked);
  return {
    ...BASE,
    kind: STREAMED_KEYWORDS.has(keyword) && BLOCKWISE_FORMATS.has(format) ? 'stream' : 'whole',
    isInsert: keyword === 'INSERT',
    altersSession: keyword === 'SET' || keyword === 'USE',
    format,
    sql: text,
    bound: wanted.length > 0 ? bindParams(wanted, request.params) : null,
  };
}

const BASE: Statement = {
  kind: 'whole',
  isInsert: false,
  altersSession: false,
  format: 'TabSeparated',
  sql: '',
  bound: null,
  insert: null,
};

interface Written {
  readonly rows: number;
  readonly bytes: number;
}

export async function runInsert(
  session: Session,
  insert: NonNullable<Statement['insert']>,
): Promise<Written> {
  const { header, data } = insert;
  const summary = await session.insert({
    table: header.table,
    values: data,
    format: header.format as RawInsertFormat,
    ...(header.columns === null ? {} : { columns: header.columns }),
  });
  return { rows: summary.rowsWritten, bytes: summary.bytesWritten };
}

/** Yields the result as the engine produces it: block by block, or all at once for other kinds. */
export async function* runStatement(session: Session, statement: Statement): AsyncGenerator<Uint8Array> {
  const { sql, format, bound } = statement;
  if (statement.kind === 'whole') {
    const result = await (bound
      ? session.queryBindAsync(sql, bound, { format })
      : session.queryAsync(sql, { format }));
    yield result.bytes();
    return;
  }
  const blocks = bound
    ? session.queryStreamBind(sql, bound, { format })
    : session.queryStream(sql, { format });
  for await (const block of blocks) yield block.raw();
}
