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

/** Characters of kept versions together: whoever makes many with long rules makes nobody's process large. */
const KEPT_CHARACTERS = 16 * 2 ** 20;
/** Versions kept at most, however small they are. */
const KEPT_VERSIONS = 5_000;
/** Of a version beside its rules, roughly. */
const AROUND_RULES = 1_000;

const charactersOf = ({ customRules }: SandboxRecord): number =>
  customRules.reduce((sum, rule) => sum + rule.length, AROUND_RULES);

/**
 * Reads sandbox versions and keeps the most recently used: they never change, so a copy is as good as the record. Kept are
 * so many at most, and so many characters.
 */
export function sandboxVersions(
  documents: Pick<Documents, 'get'>,
  cacheSize = KEPT_VERSIONS,
  maxCharacters = KEPT_CHARACTERS,
): SandboxVersions {
  const cache = new Map<string, SandboxRecord>();
  let characters = 0;
  const keep = (name: string, record: SandboxRecord): void => {
    // Two that missed it at the same time have read the same.
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
    // Not remembered: a state that is restored would have it.
    if (record === undefined) throw new UnknownSandboxVersion(customerId, id);
    keep(name, record);
    return record;
  };
}
