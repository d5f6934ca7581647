import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  countFindings,
  type FindingFilter,
  type FindingKey,
  listFindings,
} from '#platform/warehouse/queries/evidence/findings.ts';
import type { CorrelationRun } from '#records/correlations/correlation-run.ts';
import { runsAt } from '#records/correlations/correlation-runs.ts';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import type { FindingSource, FindingType } from '#schemas/vocabulary.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import {
  holds,
  type PageStart,
  pageOf,
  pageStart,
  type TimeAndId,
  timeAndId,
} from '../../operations/paging.ts';
import { shownRun } from './read-runs.ts';
import { shownFindings } from './shown-findings.ts';

type ListDependencies = Pick<ApiDependencies, 'state' | 'warehouse' | 'now'>;

interface ListRequest extends PageRequest {
  readonly source?: FindingSource | undefined;
  /** Only findings of this type: a run may have patterns of many types. */
  readonly type?: FindingType | undefined;
  /** Range of `createdAt`. */
  readonly range: DateRange;
}

/** A row of the list before it is shown. */
type Listed = { readonly key: TimeAndId } & (
  | { readonly run: CorrelationRun }
  | { readonly finding: Awaited<ReturnType<typeof listFindings>>[number] }
);

/** Runs over history, from the state, and findings of the stream, from the warehouse, newest first. */
export async function listCorrelations(
  { state, warehouse, now }: ListDependencies,
  customerId: string,
  { source, type, range, ...request }: ListRequest,
): Promise<{ data: ShownCorrelationRun[]; pagination: Pagination }> {
  const page = pageStart(request, timeAndId);
  const hasRuns = source !== 'STREAM' && type === undefined;
  const kept = hasRuns ? await runsAt(state.documents, customerId, now()) : [];
  const runs = kept.filter(({ createdAt }) => holds(range, createdAt)).sort(newestFirst);
  const filter = source === 'RUN' ? null : { customerId, type, foundAt: range };
  const { total, listed } = await startOfPage(warehouse, filter, runs, page);
  const { rows, pagination } = pageOf(listed, total, page, ({ key }) => key);
  const findings = rows.flatMap((row) => ('finding' in row ? [row.finding] : []));
  const shown = await shownFindings(warehouse, customerId, findings);
  const byId = new Map(shown.map((one) => [one.id, one]));
  const data = rows.map((row) => ('run' in row ? shownRun(row.run, null) : byId.get(row.finding.id)!));
  return { data, pagination };
}

const keyOfRun = ({ createdAt, id }: CorrelationRun): TimeAndId => [createdAt, id];
const newestFirst = (one: CorrelationRun, other: CorrelationRun): number =>
  compare(keyOfRun(other), keyOfRun(one));

/** Times of rows are texts of equal length, so they compare like the times. */
function compare([at, id]: TimeAndId, [otherAt, otherId]: TimeAndId): number {
  if (at !== otherAt) return at < otherAt ? -1 : 1;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}

const findingKey = ([at, id]: TimeAndId): FindingKey => ({ foundAt: Date.parse(at), id });

/** Up to `limit` + 1 rows from the start of a page, and the total. `runs`: newest first; `filter` null: no findings. */
async function startOfPage(
  warehouse: Warehouse,
  filter: FindingFilter | null,
  runs: readonly CorrelationRun[],
  { offset, limit, after }: PageStart<TimeAndId>,
): Promise<{ total: number; listed: Listed[] }> {
  // With a cursor, ranks are not needed.
  const keys = after === null ? runs.map((run) => findingKey(keyOfRun(run))) : [];
  const count = limit + 1;
  const findings = (skipped: number): ReturnType<typeof listFindings> => {
    if (filter === null) return Promise.resolve([]);
    const cursor = after === null ? null : findingKey(after);
    return listFindings(warehouse, filter, { offset: skipped, limit: count, after: cursor });
  };
  const counting =
    filter === null ? { total: 0, newer: keys.map(() => 0) } : countFindings(warehouse, filter, keys);
  // Without runs in between, the page starts at the requested offset and needs no count first.
  const [{ total, newer }, alone] = await Promise.all([
    counting,
    runs.length === 0 ? findings(offset) : null,
  ]);
  // With a cursor `offset` is 0. A run's rank is its index among runs plus the number of newer findings.
  const isAhead = (run: CorrelationRun, at: number): boolean =>
    after === null ? at + newer[at]! < offset : compare(keyOfRun(run), after) >= 0;
  const ahead = runs.filter(isAhead).length;
  const found = alone ?? (total === 0 ? [] : await findings(after === null ? offset - ahead : 0));
  const listed: Listed[] = [
    ...runs.slice(ahead).map((run) => ({ key: keyOfRun(run), run })),
    ...found.map((finding) => ({ key: [finding.foundAt, finding.id] as TimeAndId, finding })),
  ];
  listed.sort((one, other) => compare(other.key, one.key));
  return { total: total + runs.length, listed: listed.slice(0, count) };
}
