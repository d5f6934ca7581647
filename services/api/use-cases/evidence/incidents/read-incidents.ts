import { foldedIndexes } from '#platform/warehouse/queries/folded.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import type { Incident, ListedIncident } from '#schemas/api/incidents.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { IncidentFilter } from '#services/customers/incidents/incident-index.ts';
import { incidentVersionId } from '#services/customers/incidents/incident-record.ts';
import type { Incidents } from '#services/customers/incidents/incidents.ts';
import type { ApiDependencies } from '../../../dependencies.ts';
import { ApiError } from '../../../errors.ts';
import { isId } from '../../ingest/ids.ts';
import { pageOfIds } from '../../paging.ts';
import { listedIncident, shownIncident } from './shown-incident.ts';

export type ReadDependencies = Pick<ApiDependencies, 'warehouse'> & { readonly incidents: Incidents };

export async function readIncident(
  { incidents, warehouse }: ReadDependencies,
  customerId: string,
  id: string,
): Promise<Incident> {
  const record = isId(id) ? await incidents.byId(customerId, id) : null;
  if (record === null) throw new ApiError('NOT_FOUND');
  const history = await incidents.history(customerId, record);
  const entryId = (version: number): string => entryIdOf('INCIDENT_EVENT', incidentVersionId(id, version));
  const indexes = await foldedIndexes(
    warehouse,
    customerId,
    history.map(({ version }) => entryId(version)),
  );
  return shownIncident(customerId, record, history, (version) => indexes.get(entryId(version)) ?? null);
}

/** Reads the incidents of the page alone. */
export async function listIncidents(
  { incidents }: Pick<ReadDependencies, 'incidents'>,
  customerId: string,
  request: PageRequest & IncidentFilter,
): Promise<{ data: ListedIncident[]; pagination: Pagination }> {
  const { status, severity, signalId } = request;
  const isKnown = signalId === undefined || isId(signalId);
  const ids = isKnown ? await incidents.ids(customerId, { status, severity, signalId }) : [];
  const { rows, pagination } = pageOfIds(ids, request);
  const records = await Promise.all(rows.map((id) => incidents.byId(customerId, id)));
  const shown = records
    .filter((record) => record !== null)
    // One may have been moved since the ids were read.
    .filter((record) => status === undefined || record.status === status);
  return { data: shown.map((record) => listedIncident(customerId, record)), pagination };
}
