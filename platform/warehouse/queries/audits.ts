import { AUDITS, type AuditRow } from '#schemas/tables/tables.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';
import { allOf, type Condition, OWNED_BY, within } from './owned-by.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** Without `version`, which only decides which row wins and is too large for a number. */
export type FoundAudit = Omit<AuditRow, 'version'>;

const find = (condition: string): string => `
  SELECT ${selectList(AUDITS, ['version'])} FROM audits FINAL
  WHERE customerId = {customerId:String} AND auditId = {auditId:String} ${condition}
  ORDER BY acceptedAt LIMIT 1
  SETTINGS use_skip_indexes_if_final = 1`;

const FIND = find('');
/** With the time of acceptance the primary key locates the row; without it, all of the customer's granules are read. */
const FIND_AT = find("AND acceptedAt = {acceptedAt:DateTime64(3, 'UTC')}");

/**
 * The audit's row in the list, or null while the sink has not stored any. `acceptedAt` (Unix ms): search only there;
 * null: search everywhere.
 */
export async function findAudit(
  warehouse: Warehouse,
  customerId: string,
  auditId: string,
  acceptedAt: number | null,
): Promise<FoundAudit | null> {
  const rows = await warehouse.query<FoundAudit>(
    acceptedAt === null ? FIND : FIND_AT,
    { customerId, auditId, ...(acceptedAt === null ? {} : { acceptedAt: new Date(acceptedAt) }) },
    LIMITS,
  );
  return rows[0] ?? null;
}

/** All given conditions must hold. Times are Unix ms, both ends inclusive. */
export interface AuditFilter {
  readonly customerId: string;
  readonly sandboxId?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: string | undefined;
  /** One of these. */
  readonly riskLevel?: readonly RiskLevel[] | undefined;
  readonly erased?: boolean | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface AuditPage {
  readonly offset: number;
  readonly limit: number;
  /** Start after the audit with this time (Unix ms) and id. */
  readonly after: { readonly acceptedAt: number; readonly auditId: string } | null;
}

const conditions = (filter: AuditFilter): Condition =>
  allOf(OWNED_BY, filter.customerId, [
    ['sandboxId', 'sandbox = {sandboxId:String}', filter.sandboxId],
    ['provider', 'provider = {provider:String}', filter.provider],
    ['model', 'model = {model:String}', filter.model],
    ['status', 'status = {status:String}', filter.status],
    ['riskLevel', 'riskLevel IN {riskLevel:Array(String)}', filter.riskLevel],
    ['erased', 'audits.erased = {erased:Bool}', filter.erased],
    ...within('acceptedAt', filter),
  ]);

/** Compares the time alone as well, because the sort key finds rows by it. */
const afterCondition = ({ after }: AuditPage): Condition =>
  after === null
    ? { sql: 'true', params: {} }
    : {
        sql: `acceptedAt <= {afterAt:DateTime64(3, 'UTC')}
          AND (acceptedAt, auditId) < ({afterAt:DateTime64(3, 'UTC')}, {afterId:String})`,
        params: { afterAt: new Date(after.acceptedAt), afterId: after.auditId },
      };

/**
 * Only an audit's winning row may match: a QUEUED row must not be found once another says COMPLETED. So only the sort
 * key, and columns that all rows of an audit share, may be compared before the rows are merged.
 */
const WINNERS_FIRST = 'SETTINGS optimize_move_to_prewhere_if_final = 0';

interface AuditSurvey {
  /** All audits that match the filter, on any page. */
  readonly total: number;
  /** Rows on the page. */
  readonly rows: number;
  /** Acceptance of the page's last audit, Unix ms. */
  readonly oldest: number;
}

/**
 * Counts a filter's matches and finds how far back a page reaches, in one read of short columns. It scans all of the
 * customer's audits; the page itself is then read from a short range of the sort key.
 */
export async function surveyAudits(
  warehouse: Warehouse,
  filter: AuditFilter,
  page: AuditPage,
): Promise<AuditSurvey> {
  const { sql, params } = conditions(filter);
  const ahead = afterCondition(page);
  const last = page.offset + page.limit;
  const rows = await warehouse.query<{ total: number; reached: number; oldest: number }>(
    `WITH groupArraySortedIf(${last})(-toUnixTimestamp64Milli(acceptedAt), ${ahead.sql}) AS sorted
     SELECT count() AS total, length(sorted) AS reached, -sorted[-1] AS oldest
     FROM audits FINAL WHERE ${sql} ${WINNERS_FIRST}`,
    { ...params, ...ahead.params },
    LIMITS,
  );
  const { total = 0, reached = 0, oldest = 0 } = rows[0] ?? {};
  return { total, rows: Math.max(0, reached - page.offset), oldest };
}

const LISTED = [
  'auditId',
  'acceptedAt',
  'sandboxSlug',
  'provider',
  'model',
  'source',
  'status',
  'attempts',
  'riskLevel',
  'violations',
  'failureCode',
  'completedAt',
  'durationMs',
  'erased',
] as const satisfies readonly (keyof AuditRow)[];
export type ListedAuditRow = Pick<AuditRow, (typeof LISTED)[number]>;

/** Audits by acceptance, newest first, equal times by id, none from before `oldest` (Unix ms). */
export async function listAudits(
  warehouse: Warehouse,
  filter: AuditFilter,
  page: AuditPage,
  oldest: number,
): Promise<ListedAuditRow[]> {
  const { sql, params } = conditions(filter);
  const ahead = afterCondition(page);
  const { limit, offset } = page;
  return warehouse.query<ListedAuditRow>(
    `SELECT ${LISTED.join(', ')} FROM audits FINAL
     WHERE ${sql} AND acceptedAt >= {oldest:DateTime64(3, 'UTC')} AND ${ahead.sql}
     ORDER BY acceptedAt DESC, auditId DESC LIMIT {limit:UInt32} OFFSET {offset:UInt32} ${WINNERS_FIRST}`,
    { ...params, ...ahead.params, oldest: new Date(oldest), limit, offset },
    LIMITS,
  );
}
