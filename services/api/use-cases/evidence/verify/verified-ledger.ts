import { type CheckedPiece, withPiece } from '#core/evidence/coverage.ts';
import type { Documents } from '#platform/state/port.ts';
import { VERIFICATIONS } from '#services/customers/records.ts';

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
const MAX_ATTEMPTS = 3;

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

/** Changes the record; another process that changes it at the same time is not overwritten. Best effort. */
export async function noteChecked(
  documents: Documents,
  customerId: string,
  change: (before: VerifiedLedger) => VerifiedLedger,
): Promise<VerifiedLedger> {
  const ref = refOf(customerId);
  for (let attempt = 1; ; attempt += 1) {
    const stored = await documents.get<VerifiedLedger>(ref);
    const value = change(stored?.value ?? NOTHING);
    const { ok } = await documents.write(customerId, [
      { ...ref, expectedVersion: stored?.version ?? 0, value },
    ]);
    if (ok || attempt === MAX_ATTEMPTS) return value;
  }
}
