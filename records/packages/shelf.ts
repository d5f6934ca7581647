import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Documents, type PendingEntry, SYSTEM_SCOPE } from '#platform/state/port.ts';
import {
  EMPTY_SHELF,
  PACKAGE_WORK,
  PACKAGES,
  type PackageRecord,
  type PackageShelf,
} from './package-record.ts';

export const shelfRef = (customerId: string) => ({ scope: customerId, collection: PACKAGES, id: customerId });

export const shelfOf = async (documents: Pick<Documents, 'get'>, customerId: string): Promise<PackageShelf> =>
  (await documents.get<PackageShelf>(shelfRef(customerId)))?.value ?? EMPTY_SHELF;

/** The changed packages, with ledger entries for the change; null: no change. */
export interface ShelfChange {
  readonly shelf: PackageShelf;
  readonly entries?: readonly PendingEntry[];
}

/** Changes the packages in one atomic write; `change` is called again after a conflict. False: nothing was changed. */
export function changeShelf(
  documents: Documents,
  customerId: string,
  change: (shelf: PackageShelf) => ShelfChange | null | Promise<ShelfChange | null>,
): Promise<boolean> {
  return changeDocument<PackageShelf, boolean>({ documents }, shelfRef(customerId), async (stored) => {
    const changed = await change(stored?.value ?? EMPTY_SHELF);
    if (changed === null) return unchanged(false);
    return { value: changed.shelf, entries: changed.entries ?? [], result: true };
  });
}

/** The packages with one of them changed; null: it does not exist, or `change` returned null. */
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

/** When the job next has to check a customer's packages, Unix ms. */
interface PackageWork {
  readonly dueAt: number;
}

export async function packageWork(
  documents: Documents,
): Promise<{ readonly customerId: string; readonly dueAt: number; readonly version: number }[]> {
  const all = await documents.list<PackageWork>(SYSTEM_SCOPE, PACKAGE_WORK);
  return all.map(({ id, version, value }) => ({ customerId: id, dueAt: value.dueAt, version }));
}

/** `dueAt` null: nothing left to do. `seen`: only if no other check was requested since that version. */
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
