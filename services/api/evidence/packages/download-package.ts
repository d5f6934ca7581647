import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Refusal } from '#platform/flow/refusal.ts';
import type { PackageBytes } from '#platform/packages/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { AuditorView } from '#records/auditors/auditor-view.ts';
import { erasedSince } from '#records/packages/erased-since.ts';
import type { PackageFile, PackageRecord } from '#records/packages/package-record.ts';
import { expirePackagesWith, holdsSome } from '#records/packages/packages.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { ExportPermits } from '../../operations/limits/export-permits.ts';
import { type Pace, pacedStream } from '../../operations/limits/paced-stream.ts';
import { type FileFault, failureOf, noteFileFault } from './file-faults.ts';
import { packageById } from './read-packages.ts';
import { packagesOff } from './request-package.ts';

interface DownloadDependencies extends Pick<ApiDependencies, 'state' | 'warehouse' | 'now' | 'packages'> {
  readonly permits: ExportPermits;
  readonly pace: Pace;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

const RETRY_SECONDS = 2;
const PIECE_BYTES = 256 * 1024;

interface Download {
  readonly record: PackageRecord;
  readonly file: PackageFile;
  readonly stream: Readable;
}

/**
 * A package's file as a stream; `view`: limits it to packages visible to an auditor's token. Refused once anything in
 * it was erased, even if that is not recorded on the package yet.
 */
export async function downloadPackage(
  dependencies: DownloadDependencies,
  customerId: string,
  id: string,
  view?: AuditorView,
): Promise<Download> {
  const { packages, permits, pace, logger } = dependencies;
  const { record, file } = await readyPackage(dependencies, customerId, id, view);
  if (packages === undefined) throw packagesOff();
  const release = permits.take(customerId);
  let opened: PackageBytes | null = null;
  try {
    opened = await packages.open({ customerId, name: file.name });
    const note = async (fault: FileFault): Promise<Refusal> => {
      await noteFileFault(dependencies, customerId, { id, file }, fault);
      return new Refusal('PACKAGE_FAILED', { message: failureOf(fault) });
    };
    if (opened === null) throw await note('GONE');
    const bytes = opened;
    if (bytes.size !== file.sizeBytes) {
      await bytes.close();
      throw await note('CHANGED');
    }
    const stream = pacedStream(
      piecesOf(bytes, file.sha256, () => note('CHANGED')),
      {
        pace,
        onClose: () => {
          release();
          void bytes.close().catch(() => undefined);
        },
      },
    );
    stream.once('error', (err) => logger.warn({ err, packageId: id }, 'package download aborted'));
    return { record, file, stream };
  } catch (error) {
    release();
    throw error;
  }
}

async function readyPackage(
  dependencies: DownloadDependencies,
  customerId: string,
  id: string,
  view?: AuditorView,
): Promise<{ readonly record: PackageRecord; readonly file: PackageFile }> {
  const { state, warehouse, now } = dependencies;
  const record = await packageById(dependencies, customerId, id, view);
  const { status, file, basis, failure } = record;
  if (status === 'GENERATING') throw new Refusal('PACKAGE_NOT_READY', { retryAfterSeconds: RETRY_SECONDS });
  if (status === 'FAILED') throw new Refusal('PACKAGE_FAILED', failure === null ? {} : { message: failure });
  if (status === 'EXPIRED' || file === null) throw gone();
  const erased = await erasedSince(warehouse, customerId, basis.size);
  if (!holdsSome(file, erased)) return { record, file };
  await expirePackagesWith(state.documents, customerId, erased, now());
  throw gone();
}

const gone = (): Refusal =>
  new Refusal('NOT_FOUND', {
    message: 'The package has expired, or part of its content was erased. Request a new one.',
  });

/** Withholds the last chunk until the digest of all chunks matches, so no client gets a changed file whole. */
async function* piecesOf(
  { size, read }: PackageBytes,
  sha256: string,
  changed: () => Promise<Refusal>,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const piece = await read(at, Math.min(at + PIECE_BYTES, size));
    if (piece.length === 0) throw await changed();
    digest.update(piece);
    const isLast = at + PIECE_BYTES >= size;
    if (isLast && digest.digest('hex') !== sha256) throw await changed();
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  }
}
