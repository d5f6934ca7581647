import type { Documents } from '#platform/state/port.ts';
import { SANDBOX_VERSIONS, type SandboxRecord, sandboxVersionId } from '../documents/sandbox-record.ts';

/** A triplet names a sandbox version missing in the state: the state was lost, or the record is not ours. */
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

/** Maximum characters of all cached versions: many versions with long rules must not bloat a process. */
const KEPT_CHARACTERS = 16 * 2 ** 20;
/** Maximum number of cached versions, regardless of size. */
const KEPT_VERSIONS = 5_000;
/** Approximate characters of a version without its rules and detection settings. */
const AROUND_RULES = 1_000;

function charactersOf({ customRules, detection }: SandboxRecord): number {
  const rules = customRules.reduce((sum, rule) => sum + rule.length, AROUND_RULES);
  return detection === undefined ? rules : rules + JSON.stringify(detection).length;
}

/**
 * Reads sandbox versions and caches the most recently used: they never change, so a copy is as good as the record.
 * Limited by number and by characters.
 */
export function sandboxVersions(
  documents: Pick<Documents, 'get'>,
  cacheSize = KEPT_VERSIONS,
  maxCharacters = KEPT_CHARACTERS,
): SandboxVersions {
  const cache = new Map<string, SandboxRecord>();
  let characters = 0;
  const keep = (name: string, record: SandboxRecord): void => {
    // Two concurrent misses may have read the same version.
    if (!cache.has(name)) characters += charactersOf(record);
    cache.delete(name);
    cache.set(name, record);
    while (cache.size > cacheSize || characters > maxCharacters) {
      const [oldest, dropped] = cache.entries().next().value as [string, SandboxRecord];
      cache.delete(oldest);
      characters -= charactersOf(dropped);
    }
  };
  return async (customerId, sandboxId, version) => {
    const id = sandboxVersionId(sandboxId, version);
    const name = `${customerId}/${id}`;
    const cached = cache.get(name);
    const record =
      cached ??
      (await documents.get<SandboxRecord>({ scope: customerId, collection: SANDBOX_VERSIONS, id }))?.value;
    // Not cached: a restored state may have it.
    if (record === undefined) throw new UnknownSandboxVersion(customerId, id);
    keep(name, record);
    return record;
  };
}
