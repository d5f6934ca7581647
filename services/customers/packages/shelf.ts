import type { Documents, DocumentWrite, PendingEntry } from '#platform/state/port.ts';
import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import {
  EMPTY_SHELF,
  PACKAGE_WORK,
  PACKAGES,
  type PackageRecord,
  type PackageShelf,
} from './package-record.ts';

/** Rounds of a write before it gives up: each lost round means that another write of the customer succeeded. */
const MAX_ROUNDS = 1_000;

export const shelfRef = (customerId: string) => ({ scope: customerId, collection: PACKAGES, id: customerId });

export const shelfOf = async (documents: Pick<Documents, 'get'>, customerId: string): Promise<PackageShelf> =>
  (await documents.get<PackageShelf>(shelfRef(customerId)))?.value ?? EMPTY_SHELF;

/** What a change makes of the shelf, with ledger entries that tell of it; null: nothing. */
export interface ShelfChange {
  readonly shelf: PackageShelf;
  readonly entries?: readonly PendingEntry[];
}

/** Changes the shelf in one atomic write, decided again on what came first. False: nothing was changed. */
export async function changeShelf(
  documents: Documents,
  customerId: string,
  change: (shelf: PackageShelf) => ShelfChange | null | Promise<ShelfChange | null>,
): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stored = await documents.get<PackageShelf>(shelfRef(customerId));
    const changed = await change(stored?.value ?? EMPTY_SHELF);
    if (changed === null) return false;
    const write: DocumentWrite = {
      collection: PACKAGES,
      id: customerId,
      expectedVersion: stored?.version ?? 0,
      value: changed.shelf,
      ...(changed.entries === undefined ? {} : { entries: changed.entries }),
    };
    if ((await documents.write(customerId, [write])).ok) return true;
  }
  throw new Error('too many changes of the packages of a customer at the same time');
}

/** The shelf with one package changed; null when it is not there, or `change` gives null. */
export function withPackage(
  shelf: PackageShelf,
  id: string,
  change: (record: PackageRecord) => PackageRecord | null,
): PackageShelf | null {
  const found = shelf.packages.find((one) => one.id === id);
  const changed = found === undefined ? null : change(found);
  if (changed === null) return null;
  return { ...shelf, packages: shelf.packages.map((one) => (one.id === id ? changed : one)) };
}

/** When somebody has to look at a customer's packages, Unix ms. */
interface PackageWork {
  readonly dueAt: number;
}

export async function packageWork(
  documents: Documents,
): Promise<{ readonly customerId: string; readonly dueAt: number; readonly version: number }[]> {
  const all = await documents.list<PackageWork>(SYSTEM_SCOPE, PACKAGE_WORK);
  return all.map(({ id, version, value }) => ({ customerId: id, dueAt: value.dueAt, version }));
}

/** `dueAt` null: nothing is left to do. `seen`: only if nobody asked for another look since that version. */
export async function notePackageWork(
  documents: Documents,
  customerId: string,
  dueAt: number | null,
  seen?: number,
): Promise<void> {
  await documents.write(SYSTEM_SCOPE, [
    {
      collection: PACKAGE_WORK,
      id: customerId,
      expectedVersion: seen,
      value: dueAt === null ? null : ({ dueAt } satisfies PackageWork),
    },
  ]);
}
