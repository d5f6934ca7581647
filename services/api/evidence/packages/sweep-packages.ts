import type { PackageFiles } from '#platform/packages/port.ts';
import { packageListOf, packageWork } from '#records/packages/package-list.ts';
import { checkFiles, type FaultDependencies } from './file-faults.ts';

type SweepDependencies = Pick<FaultDependencies, 'state'> & { readonly packages: PackageFiles };

/**
 * Removes files that no package names: remains of processes that died during their work. A package in progress has no
 * file name in its record yet, so its files stay until it is done.
 */
export async function sweepPackages(
  { packages, state }: SweepDependencies,
  stopping: AbortSignal,
): Promise<void> {
  for (const customerId of await packages.customers()) {
    if (stopping.aborted) return;
    // Read before the records: files written afterwards belong to a package in progress, and are not listed here.
    const names = await packages.names(customerId);
    const packageList = await packageListOf(state.documents, customerId);
    const inProgress = packageList.packages
      .filter(({ status }) => status === 'GENERATING')
      .map(({ id }) => id);
    const named = new Set(packageList.packages.map(({ file }) => file?.name));
    for (const name of names)
      if (!named.has(name) && !inProgress.some((id) => name.startsWith(`${id}.`)))
        await packages.remove({ customerId, name });
  }
}

/** Interval at which one of the processes reads the contents of all packages again. */
const READ_EVERY_MS = 86_400_000;
export const READ_LEASE = 'lease:package-contents';

/** Finds packages whose files are gone or changed, without waiting for a request. */
export async function checkPackages(dependencies: FaultDependencies, stopping: AbortSignal): Promise<void> {
  const { documents, expiring } = dependencies.state;
  const isWhole = await expiring.setIfAbsent(READ_LEASE, 'taken', READ_EVERY_MS);
  for (const { customerId } of await packageWork(documents)) {
    if (stopping.aborted) break;
    await checkFiles(dependencies, customerId, isWhole, stopping);
  }
  if (isWhole && stopping.aborted) await expiring.delete(READ_LEASE);
}
