import { createHash } from 'node:crypto';
import { MAX_ARCHIVE_BYTES } from '#core/evidence/package/archive.ts';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import type { PackageFiles, PackageLocation } from '#platform/packages/port.ts';
import type { PackageFile, PackageRecord } from '#records/packages/package-record.ts';
import { type ContentDependencies, packageContent } from './package-content.ts';
import { ErasedContent } from './package-lines.ts';
import { heldBy, type PackagePlan, planPackage } from './package-plan.ts';

export type BuildDependencies = ContentDependencies & {
  readonly packages: PackageFiles;
  readonly randomBytes: (size: number) => Buffer;
};

interface BuildOptions {
  /** Maximum size. */
  readonly maxBytes: number;
  /** Aborts the build. */
  readonly stop: AbortSignal;
  /** 0 to 1. */
  readonly onProgress: (progress: number) => void;
}

/** The package can never be made, so there is no retry; the message is for the customer. */
export class PackageRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PackageRefused';
  }
}

/** Minimum size of a line, so that a package that cannot fit is refused before anything is written. */
const MIN_LINE_BYTES = 500;

/**
 * Writes a package's file and verifies it as its reader would. A file that fails verification is removed and never
 * released. Each attempt has its own file, so two processes with the same work cannot mix theirs.
 */
export async function buildPackage(
  dependencies: BuildDependencies,
  customerId: string,
  record: PackageRecord,
  options: BuildOptions,
): Promise<PackageFile> {
  const { packages, warehouse, randomBytes } = dependencies;
  const plan = await planPackage(warehouse, customerId, record);
  const maxBytes = Math.min(options.maxBytes, MAX_ARCHIVE_BYTES);
  if (linesOf(plan) * MIN_LINE_BYTES > maxBytes) throw tooLarge(maxBytes);
  const name = `${record.id}.${randomBytes(4).toString('hex')}.zip`;
  const location = { customerId, name };
  const digest = createHash('sha256');
  let sizeBytes = 0;
  const content = await packageContent(dependencies, plan, progressOf(plan, options.onProgress));
  const measured = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      options.stop.throwIfAborted();
      sizeBytes += piece.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      digest.update(piece);
      yield piece;
    }
  };
  await packages.write(location, measured(), options.stop).catch((error: unknown) => {
    throw error instanceof ErasedContent ? holdsErased(error) : error;
  });
  dependencies.probe?.('api.package-written');
  try {
    await demandSound(dependencies, location);
  } catch (error) {
    await packages.remove(location);
    throw error;
  }
  dependencies.probe?.('api.package-verified');
  const scope = plan.selection.sandboxes === null ? 'ALL' : 'NAMED';
  return { name, sizeBytes, sha256: digest.digest('hex'), holds: heldBy(plan), scope };
}

const linesOf = ({ signals, moves, entries }: PackagePlan): number =>
  (signals?.count ?? 0) + (moves?.count ?? 0) + entries.to - entries.from;

function progressOf(plan: PackagePlan, onProgress: (progress: number) => void): (count: number) => void {
  const all = linesOf(plan);
  let done = 0;
  return (count) => {
    done += count;
    onProgress(Math.min(1, done / all));
  };
}

const tooLarge = (maxBytes: number): PackageRefused =>
  new PackageRefused(
    `The package would exceed the limit of ${maxBytes} bytes. Choose a shorter period, or leave out the hash chain.`,
  );

const holdsErased = ({ index }: ErasedContent): PackageRefused =>
  new PackageRefused(
    `Erased content has reappeared in storage (ledger index ${index}). It is erased again within a day, or now with DELETE /evidence/retention/signals/{id}. Request the package again after that.`,
  );

async function demandSound(
  { packages, signingKey, settings }: BuildDependencies,
  location: PackageLocation,
): Promise<void> {
  const opened = await packages.open(location);
  if (opened === null) throw new Error('a package disappeared right after it was written');
  try {
    const { faults } = await verifyPackage(opened, [{ ...signingKey, name: settings.ledgerOrigin }]);
    const [first] = faults;
    if (first !== undefined)
      throw new PackageRefused(
        `Stored data does not verify, so no package was created. ${first.file}: ${first.reason}. GET /evidence/hash-chain/verify has details.`,
      );
  } finally {
    await opened.close();
  }
}
