import { type CheckedPiece, withPiece } from '#core/evidence/coverage.ts';
import { changeDocument } from '#platform/state/change-document.ts';
import { type Collection, customerCollection, kept, systemCollection } from '#platform/state/collection.ts';
import type { Documents } from '#platform/state/port.ts';

/**
 * Results of verifications of a customer's ledger, and their jobs; in the system's scope, the progress of the next one.
 */
export const VERIFICATIONS = 'verifications';
export const VERIFICATION_COLLECTIONS: readonly Collection[] = [
  customerCollection(
    VERIFICATIONS,
    kept('indexes, counts and times of verifications, which an erasure does not end'),
  ),
  systemCollection(VERIFICATIONS, kept('a position in the ledgers, which replaces the one before')),
];

/** Results of earlier verifications of a customer's ledger: document `LEDGER` of the customer's scope. */
export interface VerifiedLedger {
  /** Entries from the first that were verified without a fault; samples may find later damage. */
  readonly size: number;
  readonly pieces: readonly CheckedPiece[];
  /** ISO 8601. */
  readonly lastFullAt: string | null;
  /** Lowest faulty index found, until a verification finds it fixed. */
  readonly broken: number | null;
}

const LEDGER = 'ledger';
const NOTHING: VerifiedLedger = { size: 0, pieces: [], lastFullAt: null, broken: null };

const refOf = (scope: string) => ({ scope, collection: VERIFICATIONS, id: LEDGER });

export const verifiedLedger = async (documents: Documents, customerId: string): Promise<VerifiedLedger> =>
  (await documents.get<VerifiedLedger>(refOf(customerId)))?.value ?? NOTHING;

/** The entries that a pass re-hashed, and the lowest fault among them. */
export interface CheckedRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly brokenAt: number | null;
}

/** The record updated with the results of passes. `now`: Unix ms. */
export function withChecked(
  before: VerifiedLedger,
  ranges: readonly CheckedRange[],
  now: number,
): VerifiedLedger {
  const pieces = ranges.reduce<readonly CheckedPiece[]>(
    (all, { from, to }) => withPiece(all, { from, to, at: now }),
    before.pieces,
  );
  const found = ranges.flatMap(({ brokenAt }) => (brokenAt === null ? [] : [brokenAt]));
  const isLookedAt = ranges.some(
    ({ from, to }) => before.broken !== null && before.broken >= from && before.broken < to,
  );
  const left = before.broken === null || isLookedAt ? found : [...found, before.broken];
  return { ...before, pieces, broken: left.length === 0 ? null : Math.min(...left) };
}

/** Changes the record without overwriting concurrent changes of other processes. */
export const noteChecked = (
  documents: Documents,
  customerId: string,
  change: (before: VerifiedLedger) => VerifiedLedger,
): Promise<VerifiedLedger> =>
  changeDocument<VerifiedLedger, VerifiedLedger>({ documents }, refOf(customerId), (stored) => {
    const value = change(stored?.value ?? NOTHING);
    return { value, result: value };
  });
