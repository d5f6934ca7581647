import type { Settings } from '#platform/config/settings.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { packagesInFolder } from '#platform/packages/folder.ts';
import type { PackageFiles } from '#platform/packages/port.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Look } from '#platform/telemetry/readiness/readiness.ts';

interface OpenedPackages {
  /** Null: without shared storage, processes make no packages. */
  readonly packages: PackageFiles | null;
  /** Readiness checks of the storage. */
  readonly packageChecks: Readonly<Record<string, () => Promise<Look>>>;
}

interface OpenOptions {
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/**
 * Storage of evidence packages. Throws when other users may enter a folder; an unusable bucket is reported and retried.
 */
export async function openPackageFiles({
  settings,
  lifecycle,
  logger,
}: OpenOptions): Promise<OpenedPackages> {
  if (settings.packagesBucket !== null) {
    // Loading the library takes a fifth of a second, so only buckets load it.
    const { keepPackagesInBucket } = await import('./packages-bucket.ts');
    return keepPackagesInBucket(settings.packagesBucket, { lifecycle, logger });
  }
  const own = settings.profile === 'embedded' ? dataFolder(settings.dataDir).packages : null;
  const folder = settings.packagesDir ?? own;
  const packages =
    folder === null ? null : packagesInFolder({ folder, leastFreeBytes: settings.dataMinFreeBytes });
  return { packages, packageChecks: {} };
}
