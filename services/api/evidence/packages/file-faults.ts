import { createHash } from 'node:crypto';
import type { PackageBytes } from '#platform/packages/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import {
  changePackageList,
  notePackageWork,
  packageListOf,
  withPackage,
} from '#records/packages/package-list.ts';
import type { PackageFile, PackageRecord } from '#records/packages/package-record.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';

export type FaultDependencies = Pick<ApiDependencies, 'state' | 'packages' | 'now'> & {
  readonly logger: Pick<Logger, 'warn' | 'error'>;
};

/** What happened to a package's file outside the service. */
export type FileFault = 'GONE' | 'CHANGED';

const FAILURES: Readonly<Record<FileFault, string>> = {
  GONE: 'The file of the package is missing. Request a new package.',
  CHANGED: 'The file of the package was changed after it was created. Request a new package.',
};

export const failureOf = (fault: FileFault): string => FAILURES[fault];

const PIECE_BYTES = 256 * 1024;

interface ReadyPackage {
  readonly id: string;
  readonly file: PackageFile;
}

const readyPackages = async (
  { state }: Pick<FaultDependencies, 'state'>,
  customerId: string,
): Promise<readonly ReadyPackage[]> =>
  (await packageListOf(state.documents, customerId)).packages.flatMap(({ id, status, file }) =>
    status === 'READY' && file !== null ? [{ id, file }] : [],
  );

/** Marks the package as FAILED, so that the same request makes a new one. */
export async function noteFileFault(
  { state, now, logger }: FaultDependencies,
  customerId: string,
  { id, file }: ReadyPackage,
  fault: FileFault,
): Promise<void> {
  const failed = (record: PackageRecord): PackageRecord | null =>
    // It may have expired meanwhile, so its file was removed.
    record.status === 'READY' && record.file?.name === file.name
      ? { ...record, status: 'FAILED', failure: FAILURES[fault] }
      : null;
  const isChanged = await changePackageList(state.documents, customerId, (packageList) => {
    const changed = withPackage(packageList, id, failed);
    return changed === null ? null : { shelf: changed };
  });
  if (!isChanged) return;
  logger.error({ customerId, packageId: id, fault }, 'package file missing or modified');
  await notePackageWork(state.documents, customerId, now());
}

/** Records a customer's packages whose files are gone. Does nothing while the files cannot be listed. */
export async function noteMissingFiles(dependencies: FaultDependencies, customerId: string): Promise<void> {
  const { packages, logger } = dependencies;
  if (packages === undefined) return;
  // Read before the names: a file exists before its package is READY.
  const ready = await readyPackages(dependencies, customerId);
  if (ready.length === 0) return;
  const names = await packages.names(customerId).catch((err: unknown) => {
    logger.warn({ customerId, err }, 'failed to list package files');
    return null;
  });
  if (names === null) return;
  for (const one of ready)
    if (!names.includes(one.file.name)) await noteFileFault(dependencies, customerId, one, 'GONE');
}

/** Records a customer's packages whose files are gone or have another size or, with `isWhole`, other content. */
export async function checkFiles(
  dependencies: FaultDependencies,
  customerId: string,
  isWhole: boolean,
  stopping: AbortSignal,
): Promise<void> {
  const { packages } = dependencies;
  if (packages === undefined) return;
  for (const one of await readyPackages(dependencies, customerId)) {
    if (stopping.aborted) return;
    const opened = await packages.open({ customerId, name: one.file.name });
    const fault = opened === null ? 'GONE' : await faultOf(opened, one.file, isWhole, stopping);
    if (fault !== null) await noteFileFault(dependencies, customerId, one, fault);
  }
}

async function faultOf(
  opened: PackageBytes,
  { sizeBytes, sha256 }: PackageFile,
  isWhole: boolean,
  stopping: AbortSignal,
): Promise<FileFault | null> {
  try {
    if (opened.size !== sizeBytes) return 'CHANGED';
    if (!isWhole) return null;
    const digest = createHash('sha256');
    for (let at = 0; at < sizeBytes; at += PIECE_BYTES) {
      if (stopping.aborted) return null;
      const piece = await opened.read(at, Math.min(at + PIECE_BYTES, sizeBytes));
      if (piece.length === 0) return 'CHANGED';
      digest.update(piece);
    }
    return digest.digest('hex') === sha256 ? null : 'CHANGED';
  } finally {
    await opened.close();
  }
}
