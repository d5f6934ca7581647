import { ServiceError } from '#platform/flow/service-error.ts';

/**
 * Where evidence packages lie: files that are written once, read many times and removed. They hold no more than the
 * warehouse does, and are as private. All processes that make or hand out packages see the same files.
 */
export interface PackageFiles {
  /**
   * Stores a file, piece by piece, and resolves when it is durable; a failure leaves nothing. The name must be new.
   * Rejects with `PackageStorageFull` when it would take the last free space. `stop`: gives it up.
   */
  write(place: PackagePlace, content: AsyncIterable<Uint8Array>, stop?: AbortSignal): Promise<void>;
  /** null: there is no such file. Whoever opens it closes it. */
  open(place: PackagePlace): Promise<PackageBytes | null>;
  /** A file that is not there is removed already; of one that is being written, nothing stays. */
  remove(place: PackagePlace): Promise<void>;
  removeAll(customerId: string): Promise<void>;
  /** Names of a customer's files, those being written too. */
  names(customerId: string): Promise<string[]>;
  /** Customers that have files, or had some. */
  customers(): Promise<string[]>;
}

export interface PackagePlace {
  readonly customerId: string;
  /** Letters, digits, dots and hyphens. */
  readonly name: string;
}

/** An open file. */
export interface PackageBytes {
  readonly size: number;
  /** The bytes from `from` up to, and without, `to`; fewer at its end. */
  read(from: number, to: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** An operator has to make room; what was under way is given up. */
export class PackageStorageFull extends ServiceError {
  override readonly retryable = false;
  constructor() {
    super('no space left for packages');
    this.name = 'PackageStorageFull';
  }
}

/** The place cannot be used now. The message is for the operator, says what to do, and holds no credentials. */
export class PackageStorageUnavailable extends ServiceError {
  constructor(message: string) {
    super(message);
    this.name = 'PackageStorageUnavailable';
  }
}
