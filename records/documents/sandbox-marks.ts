import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, DocumentWrite } from '#platform/state/port.ts';

/**
 * Small documents next to the sandboxes, id = sandbox id, so that lists can use ids alone and only read records that
 * they show.
 */
/** For each deleted sandbox: `{ at }`, ISO 8601. */
export const DELETED_SANDBOXES = 'deletedSandboxes';
/** For a sandbox with archived versions: `{ keptFrom }`, the lowest version in the state. */
export const ARCHIVED_VERSIONS = 'archivedVersions';
export const SANDBOX_MARK_COLLECTIONS: readonly Collection[] = [
  customerCollection(DELETED_SANDBOXES, DELETED),
  customerCollection(ARCHIVED_VERSIONS, DELETED),
];

export interface ArchivedVersions {
  readonly keptFrom: number;
}

export const deletedMark = (sandboxId: string, at: string): DocumentWrite => ({
  collection: DELETED_SANDBOXES,
  id: sandboxId,
  value: { at },
});

/** The lowest version of a sandbox in the state. */
export async function keptFrom(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  sandboxId: string,
): Promise<number> {
  const ref = { scope: customerId, collection: ARCHIVED_VERSIONS, id: sandboxId };
  return (await documents.get<ArchivedVersions>(ref))?.value.keptFrom ?? 1;
}
