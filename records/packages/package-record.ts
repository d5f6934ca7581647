import {
  type Collection,
  customerCollection,
  DELETED,
  deletedBy,
  systemCollection,
} from '#platform/state/collection.ts';
import type { Framework, PackageStatus } from '#schemas/vocabulary.ts';

/** The request; times are ISO 8601, both ends inclusive. */
export interface PackageRequest {
  readonly framework: Framework;
  readonly startDate: string;
  readonly endDate: string;
  readonly includeIncidents: boolean;
  readonly includeHashChain: boolean;
}

/** The checkpoint of a package: hashes in lower-case hex, `note` its signed text. */
export interface PackageBasis {
  readonly size: number;
  readonly root: string;
  readonly chainHead: string;
  readonly epoch: number;
  readonly issuedAt: string;
  readonly note: string;
}

export interface PackageRecord extends PackageRequest {
  readonly id: string;
  readonly basis: PackageBasis;
  readonly status: PackageStatus;
  /** 0 to 1. */
  readonly progress: number;
  readonly createdAt: string;
  readonly createdByKeyId: string;
  readonly expiresAt: string;
  /** Number of starts: a package that kills its process must not do so forever. */
  readonly attempts: number;
  readonly failure: string | null;
  /** Its stored file, once it is READY. */
  readonly file: PackageFile | null;
}

export interface PackageFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** First and last ledger index with content in the package; null: none. */
  readonly holds: readonly [first: number, last: number] | null;
  /** ALL: no sandbox named the framework at its checkpoint, so the package contains the signals of all sandboxes. */
  readonly scope: 'NAMED' | 'ALL';
}

/**
 * Document `PACKAGES`, id = customer id, in the customer's scope: all packages of the customer, so that each change
 * considers all of them. Small, because the number of packages is limited.
 */
export interface PackageList {
  /** In order of request. */
  readonly packages: readonly PackageRecord[];
  /** Number of erasures in the ledger: a package started before one must not become READY. */
  readonly erasures: number;
}

export const PACKAGES = 'packages';
/** One small document in the system's scope per customer with packages: the work list of the packages job. */
export const PACKAGE_WORK = 'packageWork';
export const PACKAGE_COLLECTIONS: readonly Collection[] = [
  customerCollection(PACKAGES, DELETED),
  systemCollection(PACKAGE_WORK, deletedBy("the next check of the customer's packages")),
];

export const EMPTY_SHELF: PackageList = { packages: [], erasures: 0 };

/** Counts towards the limit: in progress or stored. */
export const isKept = ({ status }: PackageRecord): boolean => status === 'GENERATING' || status === 'READY';

/** The record as of a time (ISO 8601), even if its expiry has not been written yet. */
export const recordAt = (record: PackageRecord, at: string): PackageRecord =>
  isKept(record) && record.expiresAt <= at ? expired(record) : record;

/** `file` stays until it has been removed, so that it can be found. */
export const expired = (record: PackageRecord): PackageRecord => ({ ...record, status: 'EXPIRED' });
