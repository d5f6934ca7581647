import type { Documents } from '#platform/state/port.ts';
import { usageOf } from '../changes/measure-records.ts';
import { DELETED_SANDBOXES } from '../documents/sandbox-marks.ts';
import { SANDBOX_COUNTS, SANDBOXES } from '../documents/sandbox-record.ts';

interface SandboxIds {
  /** In order of creation. Does not read records: a caller that shows some reads those. */
  of(customerId: string, includeDeleted?: boolean): Promise<readonly string[]>;
}

interface Ids {
  readonly all: readonly string[];
  readonly active: readonly string[];
}

interface KnownIds {
  /** Versions of the documents that every creation and deletion writes in the same atomic write. */
  readonly versions: string;
  readonly ids: Promise<Ids>;
  /** Number of ids; 0 while they are being read. */
  count: number;
}

/** Maximum number of ids cached for all customers, some hundred bytes each; the least recently used are evicted. */
const MAX_IDS = 200_000;

/**
 * The ids of a customer's sandboxes. A list shows one page but needs them all, at some microseconds each: with
 * thousands, a client listing at its full rate would occupy the process. So they are cached until a sandbox is created
 * or deleted. Both counts show that: an earlier release only writes the one of active sandboxes.
 */
export function sandboxIds(documents: Documents, maxIds = MAX_IDS): SandboxIds {
  const known = new Map<string, KnownIds>();
  let cached = 0;

  const versionsOf = async (customerId: string): Promise<string> => {
    const count = { scope: customerId, collection: SANDBOX_COUNTS, id: customerId };
    // An installation of an earlier release has no marks of deleted sandboxes until its records are measured.
    const [usage, counted] = await Promise.all([usageOf(documents, customerId), documents.get(count)]);
    return `${usage.version} ${counted?.version ?? 0}`;
  };

  const read = async (customerId: string): Promise<Ids> => {
    const deleted = new Set(await documents.ids(customerId, DELETED_SANDBOXES));
    const all = await documents.ids(customerId, SANDBOXES);
    return { all, active: all.filter((id) => !deleted.has(id)) };
  };

  const forget = (customerId: string): void => {
    cached -= known.get(customerId)?.count ?? 0;
    known.delete(customerId);
  };
  const remember = (customerId: string, ids: KnownIds): void => {
    forget(customerId);
    known.set(customerId, ids);
    cached += ids.count;
  };

  const readOnce = (customerId: string, versions: string): KnownIds => {
    const ids = read(customerId);
    const entry: KnownIds = { versions, ids, count: 0 };
    const isKnown = (): boolean => known.get(customerId) === entry;
    ids.then(
      ({ all }) => {
        if (!isKnown()) return;
        entry.count = all.length;
        cached += entry.count;
        for (const oldest of known.keys()) {
          if (cached <= maxIds) break;
          forget(oldest);
        }
      },
      () => {
        if (isKnown()) forget(customerId);
      },
    );
    return entry;
  };

  return {
    async of(customerId, includeDeleted = false) {
      // Read before the ids: after a change in between, the next caller sees new versions and reads again.
      const versions = await versionsOf(customerId);
      const found = known.get(customerId);
      const entry = found?.versions === versions ? found : readOnce(customerId, versions);
      remember(customerId, entry);
      const ids = await entry.ids;
      return includeDeleted ? ids.all : ids.active;
    },
  };
}
