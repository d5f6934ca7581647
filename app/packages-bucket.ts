import type { PackageFiles } from '#platform/packages/port.ts';
import { type BucketSettings, openBucket } from '#platform/packages/s3/bucket.ts';
import { checkBucket } from '#platform/packages/s3/check-bucket.ts';
import { packagesInBucket } from '#platform/packages/s3/packages-in-bucket.ts';
import { watchBucket } from '#platform/packages/s3/watch-bucket.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Look } from '#platform/telemetry/readiness/readiness.ts';

/** A bucket for evidence packages, watched until the process ends. */
export function keepPackagesInBucket(
  settings: BucketSettings,
  { lifecycle, logger }: { readonly lifecycle: Lifecycle; readonly logger: Pick<Logger, 'info' | 'error'> },
): {
  readonly packages: PackageFiles;
  readonly packageChecks: Readonly<Record<string, () => Promise<Look>>>;
} {
  const bucket = openBucket(settings);
  lifecycle.add('package bucket', bucket.close);
  const watch = watchBucket({ check: () => checkBucket(bucket), logger });
  lifecycle.add('package bucket watch', watch.stop);
  return { packages: packagesInBucket(bucket), packageChecks: { packages: watch.look } };
}
