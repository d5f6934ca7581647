import { ServiceError } from '#platform/flow/service-error.ts';

/**
 * Storage of evidence packages: files that are written once, read many times and removed. They contain no more than the
 * warehouse does, and are as private. All processes that create or serve packages see the same files.
 */
export interface PackageFiles {
  /**
   * Stores a file chunk by chunk, and resolves when it is durable; a failure leaves nothing. The name must be new.
   * Rejects with `PackageStorageFull` if the file would use the last free space. `stop` cancels the write.
   */
  write(location: PackageLocation, content: AsyncIterable<Uint8Array>, stop?: AbortSignal): Promise<void>;
  /** null if there is no such file. The caller closes what it opens. */
  open(location: PackageLocation): Promise<PackageBytes | null>;
  /** A missing file counts as removed; nothing remains of a file that is being written. */
  remove(location: PackageLocation): Promise<void>;
  removeAll(customerId: string): Promise<void>;
  /** Names of a customer's files, including those being written. */
  names(customerId: string): Promise<string[]>;
  /** Customers that have, or have had, files. */
  customers(): Promise<string[]>;
}

export interface PackageLocation {
  readonly customerId: string;
  /** Letters, digits, dots and hyphens. */
  readonly name: string;
}

/** An open file. */
export interface PackageBytes {
  readonly size: number;
  /** The bytes from `from` (inclusive) to `to` (exclusive); fewer at the end of the file. */
  read(from: number, to: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** An operator has to free space; the write in progress is abandoned. */
export class PackageStorageFull extends ServiceError {
  override readonly retryable = false;
  constructor() {
    super('no space left for packages');
    this.name = 'PackageStorageFull';
  }
}

/** The storage cannot be used now. The message is for the operator, says what to do, and contains no credentials. */
export class PackageStorageUnavailable extends ServiceError {
  constructor(message: string) {
    super(message);
    this.name = 'PackageStorageUnavailable';
  }
}
