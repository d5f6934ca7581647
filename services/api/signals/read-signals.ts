import { erasedDetail, servedCore, servedDetail } from '#core/evidence/served.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  countSignalsByDay,
  findSignal,
  listSignals as listRows,
  type SignalFilter,
  type SignalPage,
} from '#platform/warehouse/queries/signals.ts';
import { type AuditorView, shownSandboxes, withinPeriod } from '#records/auditors/auditor-view.ts';
import type { Directory } from '#records/directory.ts';
import { inSandbox } from '#records/sandboxes/in-sandbox.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import type { listSignals as listSignalsContract, Signal } from '#schemas/api/signals.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';
import type { AuditSource, Region, RiskLevel } from '#schemas/vocabulary.ts';
import { pageOf, pageStart, type TimeAndId, timeAndId } from '../operations/paging.ts';
import { daysOfPage } from './signal-pages.ts';

export interface SignalDependencies {
  readonly warehouse: Warehouse;
  readonly directory: Directory;
}

/** The request's filters that apply to signals. */
export type SignalConditions = Pick<
  QueryOf<typeof listSignalsContract>,
  'sandboxSlug' | 'provider' | 'model' | 'riskLevel' | 'violation' | 'range'
>;

export async function listSignals(
  dependencies: SignalDependencies,
  customerId: string,
  query: PageRequest & SignalConditions,
  view: AuditorView | null = null,
): Promise<{ signals: Signal[]; pagination: Pagination }> {
  const start = pageStart(query, timeAndId);
  const asked = await signalFilter(dependencies.directory, customerId, query);
  const filter = asked === null || view === null ? asked : await shownBy(dependencies.warehouse, view, asked);
  const after =
    start.after === null ? null : { createdAt: Date.parse(start.after[0]), auditId: start.after[1] };
  const { total, found } =
    filter === null
      ? { total: 0, found: [] }
      : await findPage(dependencies.warehouse, filter, {
          offset: start.offset,
          limit: start.limit + 1,
          after,
        });
  const { rows, pagination } = pageOf(found, total, start, (row): TimeAndId => [row.createdAt, row.auditId]);
  return { signals: await shownSignals(dependencies.directory, customerId, rows), pagination };
}

async function findPage(
  warehouse: Warehouse,
  filter: SignalFilter,
  start: SignalPage,
): Promise<{ total: number; found: SignalRow[] }> {
  const counts = await countSignalsByDay(warehouse, filter);
  const total = counts.reduce((sum, { signals }) => sum + signals, 0);
  const { days, offset, older } = daysOfPage(counts, start);
  const read = (of: readonly string[]): Promise<SignalRow[]> =>
    of.length === 0 ? Promise.resolve([]) : listRows(warehouse, filter, of, { ...start, offset });
  const found = await read(days);
  // Some signals of these days were erased since they were counted, or are newer than the last one seen.
  const isShort = found.length < start.limit && older.length > 0;
  return { total, found: isShort ? await read([...days, ...older]) : found };
}

export async function readSignal(
  dependencies: SignalDependencies,
  customerId: string,
  id: string,
): Promise<Signal> {
  const row = isId(id) ? await findSignal(dependencies.warehouse, customerId, id) : null;
  if (row === null) throw new Refusal('NOT_FOUND');
  const [shown] = await shownSignals(dependencies.directory, customerId, [row]);
  return shown!;
}

/** The rows as lists show them. */
export async function shownSignals(
  directory: Directory,
  customerId: string,
  rows: readonly SignalRow[],
): Promise<Signal[]> {
  const names = await sandboxNames(directory, customerId, rows);
  return rows.map((row) => shownSignal(row, names));
}

/** Null: no signal can match, because no sandbox has the slug. */
export const signalFilter = (
  directory: Directory,
  customerId: string,
  { sandboxSlug, provider, model, riskLevel, violation, range }: SignalConditions,
): Promise<SignalFilter | null> =>
  inSandbox(directory, { customerId, provider, model, riskLevel, violation, ...range }, sandboxSlug);

/** The filter, limited to what an auditor's token shows; null: it shows none of them. */
async function shownBy(
  warehouse: Warehouse,
  view: AuditorView,
  filter: SignalFilter,
): Promise<SignalFilter | null> {
  const sandboxIds = await shownSandboxes(warehouse, filter.customerId, view);
  if (sandboxIds?.length === 0) return null;
  const { from, to } = filter;
  return { ...filter, sandboxIds, ...withinPeriod(view, { from, to }) };
}

/** Sandbox id -> its current name; the hashed columns contain only the slug. */
async function sandboxNames(
  directory: Directory,
  customerId: string,
  rows: readonly SignalRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map((row) => row.sandboxId))];
  const sandboxes = await Promise.all(ids.map((id) => directory.sandboxById(customerId, id)));
  return new Map(sandboxes.flatMap((sandbox) => (sandbox ? [[sandbox.id, sandbox.name]] : [])));
}

/** The hashed columns exactly as the verifier checks them, with further columns next to them. */
function shownSignal(row: SignalRow, names: ReadonlyMap<string, string>): Signal {
  const name = names.get(row.sandboxId);
  const core = servedCore(row);
  const anonymized = row.erased === 'DETAIL';
  const detail = anonymized ? erasedDetail(row) : servedDetail(row);
  return {
    ...core,
    id: row.auditId,
    customerId: row.customerId,
    ...(name === undefined ? {} : { sandbox: { slug: row.sandboxSlug, name } }),
    region: core.region as Region,
    riskLevel: core.riskLevel as RiskLevel,
    source: core.source as AuditSource,
    violations: [...core.violations],
    regulation: [...core.regulation],
    ...detail,
    detections: [...detail.detections],
    ...(anonymized ? { anonymized: true as const } : {}),
    index: row.index,
    previousHash: row.previousHash,
    hash: row.hash,
  };
}
