import type { Settings } from '#platform/config/settings.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { packagesInFolder } from '#platform/packages/folder.ts';
import type { PackageFiles } from '#platform/packages/port.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Look } from '#platform/telemetry/readiness/readiness.ts';

interface OpenedPackages {
  /** null: processes that share no place make none. */
  readonly packages: PackageFiles | null;
  /** What readiness shows of the place. */
  readonly packageChecks: Readonly<Record<string, () => Promise<Look>>>;
}

interface OpenOptions {
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** Where evidence packages lie. Throws when others may enter a folder; a bucket that cannot be used is told and waited for. */
export async function openPackageFiles({
  settings,
  lifecycle,
  logger,
}: OpenOptions): Promise<OpenedPackages> {
  if (settings.packagesBucket !== null) {
    // The library takes a fifth of a second, which nobody else has to wait for.
    const { keepPackagesInBucket } = await import('./packages-bucket.ts');
    return keepPackagesInBucket(settings.packagesBucket, { lifecycle, logger });
  }
  const own = settings.profile === 'embedded' ? dataFolder(settings.dataDir).packages : null;
  const folder = settings.packagesDir ?? own;
  const packages =
    folder === null ? null : packagesInFolder({ folder, leastFreeBytes: settings.dataMinFreeBytes });
  return { packages, packageChecks: {} };
}
