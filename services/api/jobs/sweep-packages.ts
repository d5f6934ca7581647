import type { PackageFiles } from '#platform/packages/port.ts';
import type { State } from '#platform/state/port.ts';
import { shelfOf } from '#services/customers/packages/shelf.ts';

interface SweepDependencies {
  readonly packages: PackageFiles;
  readonly state: Pick<State, 'documents'>;
}

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
