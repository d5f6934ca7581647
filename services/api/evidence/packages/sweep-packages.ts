import type { PackageFiles } from '#platform/packages/port.ts';
import { packageWork, shelfOf } from '#records/packages/shelf.ts';
import { checkFiles, type FaultDependencies } from './file-faults.ts';

type SweepDependencies = Pick<FaultDependencies, 'state'> & { readonly packages: PackageFiles };

/**
 * Removes files that no package names: what processes left that died over their work. One that is being made has no
 * name in its record yet, so its files stay until it is done.
 */
export async function sweepPackages(
  { packages, state }: SweepDependencies,
  stopping: AbortSignal,
): Promise<void> {
  for (const customerId of await packages.customers()) {
    if (stopping.aborted) return;
    // Before the records: what is written afterwards belongs to a package that is being made, and is not seen here.
    const names = await packages.names(customerId);
    const shelf = await shelfOf(state.documents, customerId);
    const underWay = shelf.packages.filter(({ status }) => status === 'GENERATING').map(({ id }) => id);
    const named = new Set(shelf.packages.map(({ file }) => file?.name));
    for (const name of names)
      if (!named.has(name) && !underWay.some((id) => name.startsWith(`${id}.`)))
        await packages.remove({ customerId, name });
  }
}

/** The contents of all packages are read again so often, by one of the processes. */
const READ_EVERY_MS = 86_400_000;
export const READ_LEASE = 'lease:package-contents';

/** Finds packages whose files are gone or were changed, also where no one asks for them. */
export async function checkPackages(dependencies: FaultDependencies, stopping: AbortSignal): Promise<void> {
  const { documents, expiring } = dependencies.state;
  const isWhole = await expiring.setIfAbsent(READ_LEASE, 'taken', READ_EVERY_MS);
  for (const { customerId } of await packageWork(documents)) {
    if (stopping.aborted) break;
    await checkFiles(dependencies, customerId, isWhole, stopping);
  }
  if (isWhole && stopping.aborted) await expiring.delete(READ_LEASE);
}
