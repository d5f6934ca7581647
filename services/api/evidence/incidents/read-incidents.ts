import { Refusal } from '#platform/flow/refusal.ts';
import { incidentsOfSignals } from '#platform/warehouse/queries/evidence/incidents.ts';
import { foldedIndexes } from '#platform/warehouse/queries/folded.ts';
import { type AuditorView, isLimited, shownSandboxes } from '#records/auditors/auditor-view.ts';
import type { IncidentFilter } from '#records/incidents/incident-index.ts';
import { incidentVersionId } from '#records/incidents/incident-record.ts';
import type { Incidents } from '#records/incidents/incidents.ts';
import type { Incident, ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { pageOfIds } from '../../operations/paging.ts';
import { listedIncident, shownIncident } from './shown-incident.ts';

export type ReadDependencies = Pick<ApiDependencies, 'warehouse'> & { readonly incidents: Incidents };

export async function readIncident(
  { incidents, warehouse }: ReadDependencies,
  customerId: string,
  id: string,
  view: AuditorView | null = null,
): Promise<Incident> {
  const record = isId(id) ? await incidents.byId(customerId, id) : null;
  const shown =
    view === null || record === null ? null : await shownIncidents(warehouse, customerId, view, id);
  if (record === null || shown?.has(id) === false) throw new Refusal('NOT_FOUND');
  const history = await incidents.history(customerId, record);
  const entryId = (version: number): string => entryIdOf('INCIDENT_EVENT', incidentVersionId(id, version));
  const indexes = await foldedIndexes(
    warehouse,
    customerId,
    history.map(({ version }) => entryId(version)),
  );
  return shownIncident(customerId, record, history, (version) => indexes.get(entryId(version)) ?? null);
}

/** Reads only the incidents of the page. */
export async function listIncidents(
  { incidents, warehouse }: ReadDependencies,
  customerId: string,
  request: PageRequest & IncidentFilter,
  view: AuditorView | null = null,
): Promise<{ data: ListedIncident[]; pagination: Pagination }> {
  const { status, severity, signalId, range } = request;
  const isKnown = signalId === undefined || isId(signalId);
  const [all, visible] = await Promise.all([
    isKnown ? incidents.ids(customerId, { status, severity, signalId, range }) : [],
    view === null ? null : shownIncidents(warehouse, customerId, view),
  ]);
  const ids = visible === null ? all : all.filter((id) => visible.has(id));
  const { rows, pagination } = pageOfIds(ids, request);
  const records = await Promise.all(rows.map((id) => incidents.byId(customerId, id)));
  const shown = records
    .filter((record) => record !== null)
    // An incident may have been moved since the ids were read.
    .filter((record) => status === undefined || record.status === status);
  return { data: shown.map((record) => listedIncident(customerId, record)), pagination };
}

/**
 * Ids of the incidents visible to an auditor's token: those on visible signals, opened within its period. Null: all.
 * `id`: checks only this one.
 */
async function shownIncidents(
  warehouse: ReadDependencies['warehouse'],
  customerId: string,
  view: AuditorView,
  id?: string,
): Promise<ReadonlySet<string> | null> {
  if (!isLimited(view)) return null;
  const sandboxIds = await shownSandboxes(warehouse, customerId, view);
  if (sandboxIds?.length === 0) return new Set();
  return new Set(await incidentsOfSignals(warehouse, { customerId, sandboxIds, ...view.period }, id));
}
