import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Documents, type PendingEntry, SYSTEM_SCOPE } from '#platform/state/port.ts';
import {
  EMPTY_SHELF,
  PACKAGE_WORK,
  PACKAGES,
  type PackageList,
  type PackageRecord,
} from './package-record.ts';

export const packageListRef = (customerId: string) => ({
  scope: customerId,
  collection: PACKAGES,
  id: customerId,
});

export const packageListOf = async (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<PackageList> =>
  (await documents.get<PackageList>(packageListRef(customerId)))?.value ?? EMPTY_SHELF;

/** The changed packages, with ledger entries for the change; null: no change. */
export interface PackageListChange {
  readonly shelf: PackageList;
  readonly entries?: readonly PendingEntry[];
}

/** Changes the packages in one atomic write; `change` is called again after a conflict. False: nothing was changed. */
export function changePackageList(
  documents: Documents,
  customerId: string,
  change: (shelf: PackageList) => PackageListChange | null | Promise<PackageListChange | null>,
): Promise<boolean> {
  return changeDocument<PackageList, boolean>({ documents }, packageListRef(customerId), async (stored) => {
    const changed = await change(stored?.value ?? EMPTY_SHELF);
    if (changed === null) return unchanged(false);
    return { value: changed.shelf, entries: changed.entries ?? [], result: true };
  });
}

/** The packages with one of them changed; null: it does not exist, or `change` returned null. */
export function withPackage(
  shelf: PackageList,
  id: string,
  change: (record: PackageRecord) => PackageRecord | null,
): PackageList | null {
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
