import type { DocumentReader } from './documents.ts';
import type { AttemptRecords } from './idempotency.ts';
import { keyOf, type Store } from './lmdb-store.ts';
import type { PendingMarks } from './pending-marks.ts';
import {
  type Admission,
  CUSTOMERS,
  type CustomerAdmission,
  type IdempotencyKey,
  type RateState,
  type Reservation,
  type ReservedItem,
  type ReserveItem,
  type ReserveOutcome,
  type ReserveRequest,
  SANDBOX_SLUGS,
  type SandboxHead,
} from './port.ts';

type Accepted = Extract<ReservedItem, { auditId: string }>;
const isAccepted = (item: ReservedItem): item is Accepted => 'auditId' in item;

interface ReserveParts {
  readonly store: Store;
  readonly documents: DocumentReader;
  readonly attempts: AttemptRecords;
  readonly marks: PendingMarks;
  readonly takeRate: (customerId: string, customer: CustomerAdmission, cost: number) => RateState;
}

/** `2026-11`: quota is counted by the UTC month of acceptance. */
function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

export function createReserve(parts: ReserveParts): Pick<Admission, 'reserve' | 'abandon' | 'auditCount'> {
  const { store, documents, attempts, marks } = parts;
  const counts = store.table<number>('audit-counts');
  const countKey = (customerId: string, at: number): string => keyOf(customerId, monthOf(at));

  function decide(customerId: string, items: readonly ReserveItem[], left: number): ReservedItem[] {
    let accepted = 0;
    // A batch names few sandboxes and each of them often.
    const heads = new Map<string, SandboxHead | undefined>();
    const headOf = (slug: string): SandboxHead | undefined => {
      if (!heads.has(slug))
        heads.set(slug, documents.document({ scope: customerId, collection: SANDBOX_SLUGS, id: slug }));
      return heads.get(slug);
    };
    return items.map(({ slug, auditId }): ReservedItem => {
      const head = headOf(slug);
      if (head === undefined || head.deleted) return { refused: 'SANDBOX_NOT_FOUND' };
      if (!head.active) return { refused: 'SANDBOX_INACTIVE' };
      if (accepted >= left) return { refused: 'AUDIT_LIMIT_REACHED' };
      accepted += 1;
      const { sandboxId, sandboxVersion, slug: sandboxSlug } = head;
      return { auditId, sandboxId, sandboxVersion, sandboxSlug };
    });
  }

  function mark({ customerId, items }: ReserveRequest, reservation: Reservation): void {
    reservation.items.forEach((reserved, position) => {
      const asked = items[position];
      if (asked === undefined || !isAccepted(reserved)) return;
      const { auditId, sandboxId, sandboxSlug } = reserved;
      const { provider, model } = asked;
      const { acceptedAt } = reservation;
      marks.put(customerId, auditId, { acceptedAt, sandboxId, sandboxSlug, provider, model });
    });
  }

  function first(request: ReserveRequest): ReserveOutcome {
    const { customerId, items, acceptedAt, nonce, extraRateCost, idempotency } = request;
    const customer = documents.document<CustomerAdmission>({
      scope: customerId,
      collection: CUSTOMERS,
      id: customerId,
    });
    // A customer that is gone or being erased has no sandboxes any more.
    if (customer === undefined || !customer.active) {
      const refused = items.map((): ReservedItem => ({ refused: 'SANDBOX_NOT_FOUND' }));
      return { kind: 'begun', seed: { items: refused, acceptedAt, nonce }, takenOver: false };
    }
    if (extraRateCost > 0) {
      const rate = parts.takeRate(customerId, customer, extraRateCost);
      if (rate.retryAfterMs > 0) return { kind: 'limited', rate };
    }
    const key = countKey(customerId, acceptedAt);
    const count = counts.get(key) ?? 0;
    const left = customer.auditQuota === null ? Number.POSITIVE_INFINITY : customer.auditQuota - count;
    const seed: Reservation = { items: decide(customerId, items, left), acceptedAt, nonce };
    const accepted = seed.items.filter(isAccepted).length;
    if (accepted > 0) {
      const begun = idempotency === null ? null : attempts.begin(customerId, idempotency, seed, accepted);
      if (begun?.kind === 'full') return begun;
      counts.put(key, count + accepted);
      mark(request, seed);
    }
    return { kind: 'begun', seed, takenOver: false };
  }

  /** A count that a crash may lose lets nobody have more than is theirs. */
  const hasNoQuota = (customerId: string): boolean =>
    documents.document<CustomerAdmission>({ scope: customerId, collection: CUSTOMERS, id: customerId })
      ?.auditQuota === null;

  function giveBack(customerId: string, reservation: Reservation): void {
    const key = countKey(customerId, reservation.acceptedAt);
    // The mark tells that the item is still counted, so that a repeat of this call gives nothing back twice.
    const counted = reservation.items
      .filter(isAccepted)
      .filter(({ auditId }) => marks.get(customerId, auditId) !== undefined);
    for (const { auditId } of counted) marks.remove(customerId, auditId);
    if (counted.length > 0) counts.put(key, Math.max(0, (counts.get(key) ?? 0) - counted.length));
  }

  /** Whether the log certainly holds nothing of this key: its only attempt is the one that ends now. */
  function isOnlyAttempt(customerId: string, reservation: Reservation, idempotency: IdempotencyKey): boolean {
    const open = attempts.open<Reservation>(customerId, idempotency);
    if (open === null || open.takenOver || open.seed.nonce !== reservation.nonce) return false;
    return open.seed.items.filter(isAccepted).length === reservation.items.filter(isAccepted).length;
  }

  return {
    async reserve(request) {
      const { customerId, idempotency, early = false } = request;
      const { result, durable } = store.begin((): ReserveOutcome => {
        const joined = idempotency === null ? null : attempts.join<Reservation>(customerId, idempotency);
        if (joined === null) return first(request);
        if (joined.kind === 'begun') mark(request, joined.seed);
        return joined;
      });
      if (early && idempotency === null && result.kind === 'begun' && hasNoQuota(customerId)) {
        // Who gives up before it asks has been told of the fault by then.
        durable.catch(() => undefined);
        return { ...result, durable };
      }
      await durable;
      return result;
    },

    async abandon(customerId, reservation, idempotency, certain) {
      await store.write(() => {
        if (idempotency === null) {
          if (certain) giveBack(customerId, reservation);
        } else if (certain && isOnlyAttempt(customerId, reservation, idempotency)) {
          giveBack(customerId, reservation);
          attempts.remove(customerId, idempotency, reservation.items.filter(isAccepted).length);
        } else attempts.freeLease(customerId, idempotency);
      });
    },

    async auditCount(customerId, at) {
      return counts.get(countKey(customerId, at)) ?? 0;
    },
  };
}
