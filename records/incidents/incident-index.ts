import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, DocumentWrite } from '#platform/state/port.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { INCIDENT_STATUSES, type IncidentStatus, RISK_LEVELS, type RiskLevel } from '#schemas/vocabulary.ts';
import { createdWithin } from '../changes/created-within.ts';
import { usageOf } from '../changes/measure-records.ts';
import { INCIDENTS, type IncidentRecord } from './incident-record.ts';

/**
 * Small documents next to the incidents, written together with them, so that lists need not scan the incidents: a
 * collection of incident ids for each status and each severity, and the ids of the incidents by signal id.
 */
const statusCollection = (status: IncidentStatus): string => `${INCIDENTS}.status.${status}`;
const severityCollection = (severity: RiskLevel): string => `${INCIDENTS}.severity.${severity}`;
const INCIDENTS_OF_SIGNALS = 'incidentsOfSignals';
/** By signal id: its incident that has not ended, if any. */
export const OPEN_INCIDENT = 'openIncident';

export const INCIDENT_INDEX_COLLECTIONS: readonly Collection[] = [
  ...INCIDENT_STATUSES.map(statusCollection),
  ...RISK_LEVELS.map(severityCollection),
  INCIDENTS_OF_SIGNALS,
  OPEN_INCIDENT,
].map((name) => customerCollection(name, DELETED));

/** Index entries under which lists find an incident. */
export const listedWrites = ({ id, status, severity }: IncidentRecord): DocumentWrite[] => [
  { collection: statusCollection(status), id, value: true },
  { collection: severityCollection(severity), id, value: true },
];

/** Index writes for a new incident; `others`: older incidents of the signal, in order. */
export const indexedWrites = (record: IncidentRecord, others: readonly string[]): DocumentWrite[] => [
  ...listedWrites(record),
  { collection: INCIDENTS_OF_SIGNALS, id: record.signalId, value: [...others, record.id] },
];

export const movedWrites = (id: string, from: IncidentStatus, to: IncidentStatus): DocumentWrite[] => [
  { collection: statusCollection(from), id, value: null },
  { collection: statusCollection(to), id, value: true },
];

export const idsOfSignal = async (
  documents: Pick<Documents, 'get'>,
  customerId: string,
  signalId: string,
): Promise<readonly string[]> => {
  const ref = { scope: customerId, collection: INCIDENTS_OF_SIGNALS, id: signalId };
  return (await documents.get<readonly string[]>(ref))?.value ?? [];
};

/** Id of the signal's incident that has not ended. */
export const openIncidentOf = async (
  documents: Pick<Documents, 'get'>,
  customerId: string,
  signalId: string,
): Promise<string | null> => {
  const ref = { scope: customerId, collection: OPEN_INCIDENT, id: signalId };
  return (await documents.get<string>(ref))?.value ?? null;
};

/** All given conditions must match. */
export interface IncidentFilter {
  readonly status?: IncidentStatus | undefined;
  readonly severity?: RiskLevel | undefined;
  readonly signalId?: string | undefined;
  /** Range of `createdAt`. */
  readonly range?: DateRange | undefined;
}

interface KnownIds {
  readonly version: number;
  readonly collections: Map<string, Promise<readonly string[]>>;
}

/** Customers whose ids a process caches, each up to its plan's limit; the least recently used is evicted. */
const MAX_CUSTOMERS = 20;

/** Ids of incidents in order of creation. Does not read any incident. */
export type IncidentIds = (customerId: string, filter: IncidentFilter) => Promise<readonly string[]>;

/**
 * A list shows one page but needs all ids of a collection, at some microseconds each. They are cached until the
 * customer's record usage changes, which every change of an incident does.
 */
export function incidentIds(documents: Documents): IncidentIds {
  const known = new Map<string, KnownIds>();
  const created = createdWithin(documents, INCIDENTS);

  const knownOf = async (customerId: string): Promise<KnownIds> => {
    // Read before the ids: a caller after a change sees a new version, and reads again.
    const { version } = await usageOf(documents, customerId);
    const found = known.get(customerId);
    const current = found?.version === version ? found : { version, collections: new Map() };
    known.delete(customerId);
    known.set(customerId, current);
    if (known.size > MAX_CUSTOMERS) known.delete(known.keys().next().value as string);
    return current;
  };

  return async (customerId, { status, severity, signalId, range }) => {
    const { collections } = await knownOf(customerId);
    const idsOf = (collection: string): Promise<readonly string[]> => {
      const found = collections.get(collection);
      if (found !== undefined) return found;
      const ids = documents.ids(customerId, collection);
      collections.set(collection, ids);
      // A failed read is retried by the next caller.
      ids.catch(() => collections.delete(collection));
      return ids;
    };
    const lists = await Promise.all([
      ...(signalId === undefined ? [] : [idsOfSignal(documents, customerId, signalId)]),
      ...(status === undefined ? [] : [idsOf(statusCollection(status))]),
      ...(severity === undefined ? [] : [idsOf(severityCollection(severity))]),
    ]);
    const [first, ...others] = lists;
    if (first === undefined) return created(customerId, await idsOf(INCIDENTS), range);
    const wanted = others.map((ids) => new Set(ids));
    const matching = first.filter((id) => wanted.every((ids) => ids.has(id)));
    return created(customerId, matching, range);
  };
}
