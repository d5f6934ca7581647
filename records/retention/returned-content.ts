import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Collection, deletedBy, systemCollection } from '#platform/state/collection.ts';
import { type Documents, type StoredDocument, SYSTEM_SCOPE } from '#platform/state/port.ts';

type Range = readonly [from: number, to: number];

/**
 * Document `RETURNED_CONTENT` of the system's scope, id = customer id: entries among which erased content is stored again.
 * Only sinks write tables, so that whoever finds it asks for it to be blanked. What has to be blank is decided by the
 * ledger alone: the document says where to look.
 */
export interface ReturnedContent {
  /** Of indexes, inclusive. */
  readonly ranges: readonly Range[];
}
export const RETURNED_CONTENT = 'returnedContent';
export const RETURNED_CONTENT_COLLECTIONS: readonly Collection[] = [
  systemCollection(RETURNED_CONTENT, deletedBy('the sink that blanked the content')),
];

/** Ranges of a request; more of them become one. */
const KEPT_RANGES = 100;

/** Asks for the erased content of these entries to be blanked again. */
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

/** What sinks have to look for. */
export const blankingRequests = (
  documents: Pick<Documents, 'list'>,
): Promise<StoredDocument<ReturnedContent>[]> =>
  documents.list<ReturnedContent>(SYSTEM_SCOPE, RETURNED_CONTENT);

/** Removes a request that was carried out, unless more was asked for meanwhile. */
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
