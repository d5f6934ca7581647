import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Collection, deletedBy, systemCollection } from '#platform/state/collection.ts';
import { type Documents, type StoredDocument, SYSTEM_SCOPE } from '#platform/state/port.ts';

type Range = readonly [from: number, to: number];

/**
 * Document `RETURNED_CONTENT` of the system's scope, id = customer id: entries among which erased content is stored
 * again. Only sinks write tables, so any process that finds such content requests its blanking here. The ledger alone
 * decides what must be blank: the document only says where to look.
 */
export interface ReturnedContent {
  /** Index ranges, inclusive. */
  readonly ranges: readonly Range[];
}
export const RETURNED_CONTENT = 'returnedContent';
export const RETURNED_CONTENT_COLLECTIONS: readonly Collection[] = [
  systemCollection(RETURNED_CONTENT, deletedBy('the sink that blanked the content')),
];

/** Ranges per request; more are merged into one. */
const KEPT_RANGES = 100;

/** Requests that the erased content of these entries is blanked again. */
export function requestBlanking(
  documents: Pick<Documents, 'get' | 'write'>,
  customerId: string,
  range: Range,
): Promise<void> {
  const ref = { scope: SYSTEM_SCOPE, collection: RETURNED_CONTENT, id: customerId };
  return changeDocument<ReturnedContent>({ documents }, ref, (stored) => {
    const known = stored?.value.ranges ?? [];
    if (known.some(([from, to]) => from <= range[0] && range[1] <= to)) return unchanged(undefined);
    return { value: { ranges: bounded([...known, range]) }, result: undefined };
  });
}

/** Requests for the sinks. */
export const blankingRequests = (
  documents: Pick<Documents, 'list'>,
): Promise<StoredDocument<ReturnedContent>[]> =>
  documents.list<ReturnedContent>(SYSTEM_SCOPE, RETURNED_CONTENT);

/** Removes a completed request, unless more was requested in the meantime. */
export async function endBlanking(
  documents: Pick<Documents, 'write'>,
  { id, version }: StoredDocument,
): Promise<void> {
  await documents.write(SYSTEM_SCOPE, [
    { collection: RETURNED_CONTENT, id, expectedVersion: version, value: null },
  ]);
}

function bounded(ranges: readonly Range[]): readonly Range[] {
  if (ranges.length <= KEPT_RANGES) return ranges;
  return [[Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))]];
}
