import type { Documents, DocumentWrite } from '../state/port.ts';

/**
 * Small documents beside the sandboxes, id = sandbox id: lists are made of ids alone and read no record that they do not
 * show.
 */
/** Of each deleted sandbox: `{ at }`, ISO 8601. */
export const DELETED_SANDBOXES = 'deletedSandboxes';
/** Of a sandbox whose old versions are put away: `{ keptFrom }`, the lowest version that the state holds. */
export const ARCHIVED_VERSIONS = 'archivedVersions';

export interface ArchivedVersions {
  readonly keptFrom: number;
}

export const deletedMark = (sandboxId: string, at: string): DocumentWrite => ({
  collection: DELETED_SANDBOXES,
  id: sandboxId,
  value: { at },
});

/** The lowest version of a sandbox that the state holds. */
export async function keptFrom(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  sandboxId: string,
): Promise<number> {
  const ref = { scope: customerId, collection: ARCHIVED_VERSIONS, id: sandboxId };
  return (await documents.get<ArchivedVersions>(ref))?.value.keptFrom ?? 1;
}
