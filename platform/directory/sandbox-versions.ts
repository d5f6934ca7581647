import type { Documents } from '../state/port.ts';
import { SANDBOX_VERSIONS, type SandboxRecord, sandboxVersionId } from './records.ts';

/** A triplet names a sandbox version that the state does not hold: the state was lost, or the record is not ours. */
export class UnknownSandboxVersion extends Error {
  constructor(customerId: string, id: string) {
    super(`the state holds no sandbox version ${id} of customer ${customerId}`);
    this.name = 'UnknownSandboxVersion';
  }
}

/** Rejects with `UnknownSandboxVersion` or `StateUnavailable`. */
export type SandboxVersions = (
  customerId: string,
  sandboxId: string,
  version: number,
) => Promise<SandboxRecord>;

/** Reads sandbox versions and keeps the most recently used: they never change, so a copy is as good as the record. */
export function sandboxVersions(documents: Pick<Documents, 'get'>, cacheSize = 5_000): SandboxVersions {
  const cache = new Map<string, SandboxRecord>();
  return async (customerId, sandboxId, version) => {
    const id = sandboxVersionId(sandboxId, version);
    const name = `${customerId}/${id}`;
    const cached = cache.get(name);
    const record =
      cached ??
      (await documents.get<SandboxRecord>({ scope: customerId, collection: SANDBOX_VERSIONS, id }))?.value;
    // Not remembered: a state that is restored would have it.
    if (record === undefined) throw new UnknownSandboxVersion(customerId, id);
    cache.delete(name);
    cache.set(name, record);
    if (cache.size > cacheSize) cache.delete(cache.keys().next().value as string);
    return record;
  };
}
