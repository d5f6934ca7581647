import { isDeepStrictEqual } from 'node:util';
import type { Reach } from '#core/evidence/retention/policies.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import type { LedgerEvent } from '../changes/ledger-events.ts';
import type { RetentionPolicy } from './policy-record.ts';

interface LegalHold extends Reach {
  readonly policyId: string;
}

/**
 * Document `LEGAL_HOLDS`, id = customer id: everything that must not be erased. It changes in the write that changes a
 * policy, and every erasure compares its version in its own write, so a hold that was set first always wins.
 */
export interface LegalHolds {
  /** Raised by each change, each of which is an entry of the ledger. */
  readonly version: number;
  readonly holds: readonly LegalHold[];
}
export const LEGAL_HOLDS = 'legalHolds';
export const LEGAL_HOLD_COLLECTIONS: readonly Collection[] = [customerCollection(LEGAL_HOLDS, DELETED)];

export const holdsRef = (customerId: string) => ({
  scope: customerId,
  collection: LEGAL_HOLDS,
  id: customerId,
});

/** `version` 0: there has never been a hold. */
interface ReadHolds {
  readonly holds: readonly LegalHold[];
  /** Part of an erasure's write, which depends on the holds that were read. */
  readonly compared: DocumentWrite;
}

export const storedHolds = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<LegalHolds> | null> => documents.get<LegalHolds>(holdsRef(customerId));

export async function readHolds(documents: Pick<Documents, 'get'>, customerId: string): Promise<ReadHolds> {
  const stored = await storedHolds(documents, customerId);
  const compared: DocumentWrite = {
    collection: LEGAL_HOLDS,
    id: customerId,
    expectedVersion: stored?.version ?? 0,
    value: null,
    unchanged: true,
  };
  return { holds: stored?.value.holds ?? [], compared };
}

/** The document's name in the ids of its entries. */
export const HOLDS_NAME = 'hold';

/** The holds with the current policy; null: no change. `lost`: the version given up for lost holds. */
export function holdsWith(
  before: LegalHolds | null,
  lost: number,
  policy: RetentionPolicy,
): LegalHolds | null {
  const { version, holds } = before ?? { version: lost, holds: [] };
  const others = holds.filter(({ policyId }) => policyId !== policy.id);
  const isHeld = policy.legalHold && policy.active && policy.deletedAt === null;
  const { id: policyId, framework, sandboxId } = policy;
  const after = isHeld ? [...others, { policyId, framework, sandboxId }] : others;
  const sorted = after.toSorted((a, b) => (a.policyId < b.policyId ? -1 : 1));
  return isDeepStrictEqual(sorted, holds) ? null : { version: version + 1, holds: sorted };
}

/** `actor`: the user who changed them, personal; null: an operator accepted an older state. */
export const holdsEvent = (
  customerId: string,
  { version, holds }: LegalHolds,
  at: string,
  actor: string | null,
): LedgerEvent => ({
  kind: 'POLICY_EVENT',
  id: `${HOLDS_NAME}:${version}`,
  customerId,
  at,
  core: { type: 'HOLD', version, policyIds: holds.map(({ policyId }) => policyId) },
  detail: { actor },
});
