import { CUSTOMERS, type Documents, type StoredDocument } from '#platform/state/port.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import {
  changePackageList,
  notePackageWork,
  type PackageListChange,
  packageListOf,
  withPackage,
} from './package-list.ts';
import {
  expired,
  isKept,
  type PackageFile,
  type PackageList,
  type PackageRecord,
  type PackageRequest,
  recordAt,
} from './package-record.ts';

/** Packages of a customer in progress at a time. */
export const MAX_IN_PROGRESS = 2;
/** Failed or expired packages kept in the list, the latest ones. */
const KEPT_ENDED = 40;

/** How many packages a customer may keep, and their total size. */
interface PackageBudget {
  readonly packages: number;
  readonly bytes: number;
}

type RequestedPackage =
  | { readonly ok: true; readonly isNew: boolean; readonly record: PackageRecord }
  | { readonly ok: false; readonly reason: 'UNDER_WAY' | 'ERASED' | 'BUDGET' };

interface NewRequest {
  readonly customerId: string;
  /** A repeat with the same id returns the earlier attempt's result. */
  readonly record: PackageRecord;
  readonly budget: PackageBudget;
  /** Whether an existing package was made from the same ledger. */
  readonly isSameLedger: (record: PackageRecord) => Promise<boolean>;
}

/** Requests a package, or returns one that satisfies the same request. */
export async function requestPackage(
  documents: Documents,
  { customerId, record, budget, isSameLedger }: NewRequest,
): Promise<RequestedPackage> {
  const at = record.createdAt;
  let outcome: RequestedPackage = { ok: true, isNew: true, record };
  // Before the record: a package that is not in the work list would never be made.
  await notePackageWork(documents, customerId, Date.parse(at));
  await changePackageList(documents, customerId, async (shelf) => {
    const own = shelf.packages.find(({ id }) => id === record.id);
    const kept = shelf.packages.map((one) => recordAt(one, at)).filter(isKept);
    const same = await found(
      kept.filter((one) => isSameRequest(one, record)),
      isSameLedger,
    );
    outcome = { ok: true, isNew: own !== undefined || same === undefined, record: own ?? same ?? record };
    if (own !== undefined || same !== undefined) return null;
    const refused = await refusal(documents, customerId, kept, budget);
    if (refused === null) return { shelf: { ...shelf, packages: withNew(shelf.packages, record) } };
    outcome = refused;
    return null;
  });
  return outcome;
}

/** The newest matching package. */
async function found(
  records: readonly PackageRecord[],
  isMeant: (record: PackageRecord) => Promise<boolean>,
): Promise<PackageRecord | undefined> {
  for (const record of records.toReversed()) if (await isMeant(record)) return record;
  return undefined;
}

const isSameRequest = (one: PackageRequest, other: PackageRequest): boolean =>
  one.framework === other.framework &&
  one.startDate === other.startDate &&
  one.endDate === other.endDate &&
  one.includeIncidents === other.includeIncidents &&
  one.includeHashChain === other.includeHashChain;

async function refusal(
  documents: Documents,
  customerId: string,
  kept: readonly PackageRecord[],
  budget: PackageBudget,
): Promise<RequestedPackage | null> {
  // An erasure that started after the request was admitted would miss what is written now.
  if (await isErased(documents, customerId)) return { ok: false, reason: 'ERASED' };
  if (kept.filter(({ status }) => status === 'GENERATING').length >= MAX_IN_PROGRESS)
    return { ok: false, reason: 'UNDER_WAY' };
  if (kept.length < budget.packages && bytesOf(kept) < budget.bytes) return null;
  return { ok: false, reason: 'BUDGET' };
}

export const bytesOf = (records: readonly PackageRecord[]): number =>
  records.reduce((sum, { file, status }) => sum + (status === 'READY' ? (file?.sizeBytes ?? 0) : 0), 0);

/** Drops ended packages, the oldest first, unless their file still has to be removed. */
function withNew(packages: readonly PackageRecord[], record: PackageRecord): PackageRecord[] {
  const ended = packages.filter((one) => !isKept(one) && one.file === null);
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - KEPT_ENDED + 1)));
  return [...packages.filter((one) => !forgotten.has(one)), record];
}

async function isErased(documents: Pick<Documents, 'get'>, customerId: string): Promise<boolean> {
  const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
  const stored: StoredDocument<CustomerRecord> | null = await documents.get<CustomerRecord>(ref);
  return stored === null || stored.value.erasure !== undefined;
}

/** A customer's packages as of a time (ISO 8601), the oldest first. */
export const packagesAt = async (
  documents: Pick<Documents, 'get'>,
  customerId: string,
  at: string,
): Promise<PackageRecord[]> =>
  (await packageListOf(documents, customerId)).packages.map((record) => recordAt(record, at));

/** Changes a package in progress. False: no longer in progress, or not found. */
export const changeInProgress = (
  documents: Documents,
  customerId: string,
  id: string,
  change: (record: PackageRecord, shelf: PackageList) => PackageRecord | null,
  entriesOf: (record: PackageRecord) => Promise<PackageListChange['entries']> = async () => undefined,
): Promise<boolean> =>
  changePackageList(documents, customerId, async (shelf) => {
    let made: PackageRecord | null = null;
    const changed = withPackage(shelf, id, (record) => {
      made = record.status === 'GENERATING' ? change(record, shelf) : null;
      return made;
    });
    if (changed === null || made === null) return null;
    const entries = await entriesOf(made);
    return entries === undefined ? { shelf: changed } : { shelf: changed, entries };
  });

/** Index ranges of the ledger, both ends inclusive. */
export type ErasedRanges = readonly (readonly [from: number, to: number])[];

/**
 * Must be called after an ERASURE of ledger content has been folded: packages with some of that content expire, and
 * those in progress start again. May be repeated. If a process dies before calling this, the packages job, and every
 * release of a package, compare it with the ERASUREs of the ledger.
 */
export async function expirePackagesWith(
  documents: Documents,
  customerId: string,
  ranges: ErasedRanges,
  /** Unix ms: when their files may be removed. */
  now: number,
): Promise<void> {
  const changed = await changePackageList(documents, customerId, (shelf) =>
    shelf.packages.some(isKept)
      ? {
          shelf: {
            erasures: shelf.erasures + 1,
            packages: shelf.packages.map((record) =>
              record.status === 'READY' && holdsSome(record.file, ranges) ? expired(record) : record,
            ),
          },
        }
      : null,
  );
  if (changed) await notePackageWork(documents, customerId, now);
}

export const holdsSome = (file: PackageFile | null, ranges: ErasedRanges): boolean => {
  const contained = file?.holds ?? null;
  return contained !== null && ranges.some(([from, to]) => from <= contained[1] && to >= contained[0]);
};
