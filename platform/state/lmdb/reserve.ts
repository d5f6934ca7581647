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
} from '../port.ts';
import type { DocumentReader } from './documents.ts';
import type { AttemptRecords } from './idempotency.ts';
import type { PendingMarks } from './pending-marks.ts';
import { keyOf, type Store } from './store/store.ts';
import type { Table } from './store/table.ts';

type Accepted = Extract<ReservedItem, { auditId: string }>;
const isAccepted = (item: ReservedItem): item is Accepted => 'auditId' in item;

interface ReserveOptions {
  readonly store: Store;
  readonly documents: DocumentReader;
  readonly attempts: AttemptRecords;
  readonly marks: PendingMarks;
  readonly takeRate: (customerId: string, customer: CustomerAdmission, cost: number) => RateState;
}

/** `2026-11`: quota is counted per UTC month of acceptance. */
function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

const DAY_MS = 24 * 3_600_000;

export function createReserve(
  options: ReserveOptions,
): Pick<Admission, 'reserve' | 'abandon' | 'auditCount'> {
  const { store, attempts } = options;
  const reservations = new Reservations(options);
  return {
    async reserve(request) {
      const { customerId, idempotency, early = false } = request;
      const customer = reservations.customer(customerId);
      const { result, durable } = store.begin((): ReserveOutcome => {
        const joined = idempotency === null ? null : attempts.join<Reservation>(customerId, idempotency);
        if (joined === null) return reservations.first(request, customer);
        if (joined.kind === 'begun') reservations.mark(request, joined.seed);
        return joined;
      });
      // Without a quota, losing this count in a crash admits no more audits than allowed.
      const isEarly = early && idempotency === null && customer?.auditQuota === null;
      if (isEarly && result.kind === 'begun') {
        // If the caller gives up before it awaits this, it already knows of the failure.
        durable.catch(() => undefined);
        // Written out: an object built by spreading and adding properties becomes a slow hash table.
        const { kind, seed, takenOver } = result;
        return { kind, seed, takenOver, durable };
      }
      await durable;
      return result;
    },

    async abandon(customerId, reservation, idempotency, certain) {
      await store.write(() => {
        if (idempotency === null) {
          if (certain) reservations.release(customerId, reservation);
        } else if (certain && isOnlyAttempt(attempts, customerId, reservation, idempotency)) {
          reservations.release(customerId, reservation);
          attempts.remove(customerId, idempotency, reservation.items.filter(isAccepted).length);
        } else attempts.freeLease(customerId, idempotency);
      });
    },

    async auditCount(customerId, at) {
      return reservations.count(customerId, at);
    },
  };
}

/** Whether the log certainly has no record of this key, because its only attempt is the one that ends now. */
function isOnlyAttempt(
  attempts: AttemptRecords,
  customerId: string,
  reservation: Reservation,
  idempotency: IdempotencyKey,
): boolean {
  const open = attempts.open<Reservation>(customerId, idempotency);
  if (open === null || open.takenOver || open.seed.nonce !== reservation.nonce) return false;
  return open.seed.items.filter(isAccepted).length === reservation.items.filter(isAccepted).length;
}

/** Decides on reservations and counts their usage. Write only inside `Store.write`. */
class Reservations {
  readonly #options: ReserveOptions;
  readonly #counts: Table<number>;
  /** The last requested day (since 1970) and its month; nearly always the same. */
  #day = Number.NaN;
  #month = '';

  constructor(options: ReserveOptions) {
    this.#options = options;
    this.#counts = options.store.table('audit-counts');
  }

  count(customerId: string, at: number): number {
    return this.#counts.view(this.#countKey(customerId, at)) ?? 0;
  }

  /** Handles a request that joins no earlier attempt. */
  first(request: ReserveRequest, customer: CustomerAdmission | undefined): ReserveOutcome {
    const { customerId, items, acceptedAt, nonce, extraRateCost, idempotency } = request;
    const { attempts, takeRate } = this.#options;
    // An erased customer, or one being erased, no longer has sandboxes.
    if (customer === undefined || !customer.active) {
      const refused = items.map((): ReservedItem => ({ refused: 'SANDBOX_NOT_FOUND' }));
      return { kind: 'begun', seed: { items: refused, acceptedAt, nonce }, takenOver: false };
    }
    if (extraRateCost > 0) {
      const rate = takeRate(customerId, customer, extraRateCost);
      if (rate.retryAfterMs > 0) return { kind: 'limited', rate };
    }
    const count = this.count(customerId, acceptedAt);
    const left = customer.auditQuota === null ? Number.POSITIVE_INFINITY : customer.auditQuota - count;
    const seed: Reservation = { items: this.#decide(customerId, items, left), acceptedAt, nonce };
    const accepted = seed.items.filter(isAccepted).length;
    if (accepted > 0) {
      const started = idempotency === null ? null : attempts.begin(customerId, idempotency, seed, accepted);
      if (started?.kind === 'full') return started;
      this.#counts.put(this.#countKey(customerId, acceptedAt), count + accepted);
      this.mark(request, seed);
    }
    return { kind: 'begun', seed, takenOver: false };
  }

  mark({ customerId, items }: ReserveRequest, reservation: Reservation): void {
    reservation.items.forEach((reserved, position) => {
      const requested = items[position];
      if (requested === undefined || !isAccepted(reserved)) return;
      const { auditId, sandboxId, sandboxSlug } = reserved;
      const { provider, model } = requested;
      const { acceptedAt } = reservation;
      this.#options.marks.put(customerId, auditId, { acceptedAt, sandboxId, sandboxSlug, provider, model });
    });
  }

  release(customerId: string, reservation: Reservation): void {
    const { marks } = this.#options;
    // The mark shows that the item is still counted, so that a repeated call does not release it again.
    const counted = reservation.items
      .filter(isAccepted)
      .filter(({ auditId }) => marks.get(customerId, auditId) !== undefined);
    for (const { auditId } of counted) marks.remove(customerId, auditId);
    if (counted.length === 0) return;
    const { acceptedAt } = reservation;
    const left = Math.max(0, this.count(customerId, acceptedAt) - counted.length);
    this.#counts.put(this.#countKey(customerId, acceptedAt), left);
  }

  #countKey(customerId: string, at: number): string {
    const day = Math.floor(at / DAY_MS);
    if (day !== this.#day) {
      this.#month = monthOf(at);
      this.#day = day;
    }
    return keyOf(customerId, this.#month);
  }

  customer(customerId: string): CustomerAdmission | undefined {
    const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
    return this.#options.documents.document(ref);
  }

  #decide(customerId: string, items: readonly ReserveItem[], left: number): ReservedItem[] {
    let accepted = 0;
    // A batch names few sandboxes, each many times.
    const heads = new Map<string, SandboxHead | undefined>();
    const headOf = (id: string): SandboxHead | undefined => {
      const ref = { scope: customerId, collection: SANDBOX_SLUGS, id };
      if (!heads.has(id)) heads.set(id, this.#options.documents.document(ref));
      return heads.get(id);
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
}
