import { type CheckedPiece, withPiece } from '#core/evidence/coverage.ts';
import { changeDocument } from '#platform/state/change-document.ts';
import { type Collection, customerCollection, kept, systemCollection } from '#platform/state/collection.ts';
import type { Documents } from '#platform/state/port.ts';

/** What verifications of a customer's ledger found, and their jobs; in the system's scope, how far the next one is. */
export const VERIFICATIONS = 'verifications';
export const VERIFICATION_COLLECTIONS: readonly Collection[] = [
  customerCollection(
    VERIFICATIONS,
    kept('indexes, counts and times of verifications, which an erasure does not end'),
  ),
  systemCollection(VERIFICATIONS, kept('a position in the ledgers, which replaces the one before')),
];

/** What earlier verifications of a customer's ledger found: document `LEDGER` of the customer's scope. */
export interface VerifiedLedger {
  /** Entries from the first on that were verified without a fault; what a change since then spoils, samples may find. */
  readonly size: number;
  readonly pieces: readonly CheckedPiece[];
  /** ISO 8601. */
  readonly lastFullAt: string | null;
  /** Lowest faulty index that was found, until a verification finds it mended. */
  readonly broken: number | null;
}

const LEDGER = 'ledger';
const NOTHING: VerifiedLedger = { size: 0, pieces: [], lastFullAt: null, broken: null };

const refOf = (scope: string) => ({ scope, collection: VERIFICATIONS, id: LEDGER });

export const verifiedLedger = async (documents: Documents, customerId: string): Promise<VerifiedLedger> =>
  (await documents.get<VerifiedLedger>(refOf(customerId)))?.value ?? NOTHING;

/** Entries that a pass re-hashed, and the lowest fault among them. */
export interface CheckedRange {
  readonly from: number;
  /** Behind the last one. */
  readonly to: number;
  readonly brokenAt: number | null;
}

/** The record with what passes found. `now`: Unix ms. */
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

/** Changes the record; another process that changes it at the same time is not overwritten. */
export const noteChecked = (
  documents: Documents,
  customerId: string,
  change: (before: VerifiedLedger) => VerifiedLedger,
): Promise<VerifiedLedger> =>
  changeDocument<VerifiedLedger, VerifiedLedger>({ documents }, refOf(customerId), (stored) => {
    const value = change(stored?.value ?? NOTHING);
    return { value, result: value };
  });
