import {
  type Collection,
  customerCollection,
  DELETED,
  deletedBy,
  systemCollection,
} from '#platform/state/collection.ts';
import type { Framework, PackageStatus } from '#schemas/vocabulary.ts';

/** What was asked for; times ISO 8601, both ends inclusive. */
export interface PackageRequest {
  readonly framework: Framework;
  readonly startDate: string;
  readonly endDate: string;
  readonly includeIncidents: boolean;
  readonly includeHashChain: boolean;
}

/** The checkpoint that a package is made of: hashes in lower-case hex, `note` its signed text. */
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
  /** How often it was begun: a process that dies over it must not do so for ever. */
  readonly attempts: number;
  readonly failure: string | null;
  /** Where it lies, once it is READY. */
  readonly file: PackageFile | null;
}

export interface PackageFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** First and last index of the ledger whose content it holds; null: none. */
  readonly holds: readonly [first: number, last: number] | null;
  /** ALL: no sandbox named the framework at its checkpoint, so that it holds the signals of all of them. */
  readonly scope: 'NAMED' | 'ALL';
}

/**
 * Document `PACKAGES`, id = customer id, in the customer's scope: all its packages, so that whatever changes one
 * decides on all of them. Small: the number of packages is limited.
 */
export interface PackageShelf {
  /** In the order in which they were asked for. */
  readonly packages: readonly PackageRecord[];
  /** How often something of the ledger was erased: a package that was begun before must not become READY. */
  readonly erasures: number;
}

export const PACKAGES = 'packages';
/** One small document for each customer with packages in the system's scope: the work list of those who make them. */
export const PACKAGE_WORK = 'packageWork';
export const PACKAGE_COLLECTIONS: readonly Collection[] = [
  customerCollection(PACKAGES, DELETED),
  systemCollection(PACKAGE_WORK, deletedBy("the next check of the customer's packages")),
];

export const EMPTY_SHELF: PackageShelf = { packages: [], erasures: 0 };

/** Takes room: it is being made, or lies there. */
export const isKept = ({ status }: PackageRecord): boolean => status === 'GENERATING' || status === 'READY';

/** The record as it is at a time (ISO 8601), whether or not somebody has written that down. */
export const recordAt = (record: PackageRecord, at: string): PackageRecord =>
  isKept(record) && record.expiresAt <= at ? expired(record) : record;

/** `file` stays until it is removed, so that it is found. */
export const expired = (record: PackageRecord): PackageRecord => ({ ...record, status: 'EXPIRED' });
