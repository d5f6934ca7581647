import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { Semaphore } from '#platform/flow/semaphore.ts';
import type { Plan } from '#schemas/vocabulary.ts';

interface Waiting {
  /** Fires when the client has left. */
  readonly gone: AbortSignal;
  readonly plan?: Plan | undefined;
}

/** Limits how much expensive work runs at once, and lets customers take turns. */
export interface CustomerSemaphore {
  /**
   * Runs the work when it is the customer's turn. Throws TOO_MANY_AT_ONCE if too many calls of the customer are
   * waiting, UNAVAILABLE if too many are waiting in total, or if `gone` fires during the wait.
   */
  during<Result>(customerId: string, call: Waiting, work: () => Promise<Result>): Promise<Result>;
}

export interface CustomerSemaphoreLimits {
  /** Running at once, all customers. */
  readonly atOnce: number;
  /** Running at once, per customer. */
  readonly perCustomer: number;
  /** Same, for plans with less: anyone may have many customers on the free plan. */
  readonly perCustomerOn?: Readonly<Partial<Record<Plan, number>>>;
  /** Waiting, per customer. */
  readonly waitingPerCustomer: number;
  /** Waiting, all customers. */
  readonly waiting: number;
  /** Retry-After for a refused client. */
  readonly retryAfterSeconds: number;
}

/** A semaphore keyed by customer, with the error for clients that may not wait for it. */
export function createCustomerSemaphore(limits: CustomerSemaphoreLimits): CustomerSemaphore {
  const { retryAfterSeconds } = limits;
  const semaphore = new Semaphore({
    permits: limits.atOnce,
    mayWait: ({ ofKey, all }) => {
      // When the queue is nearly full, a customer gets fewer places than it leaves to others.
      const isOver = ofKey > 0 && ofKey >= limits.waiting - all;
      if (ofKey >= limits.waitingPerCustomer || isOver)
        throw new Refusal('TOO_MANY_AT_ONCE', { retryAfterSeconds });
      if (all < limits.waiting) return;
      const message = 'Too many requests are waiting. Try again later.';
      throw new Refusal('UNAVAILABLE', { message, retryAfterSeconds });
    },
  });
  return {
    during: async (customerId, { gone, plan }, work) => {
      const permitsOfKey = (plan && limits.perCustomerOn?.[plan]) ?? limits.perCustomer;
      const release =
        semaphore.tryAcquire(customerId, permitsOfKey) ??
        (await semaphore.acquire({ key: customerId, permitsOfKey, signal: gone }).catch((error: unknown) => {
          if (error instanceof Refusal) throw error;
          throw unavailable(new Error('the client disconnected while waiting', { cause: error }));
        }));
      try {
        return await work();
      } finally {
        release?.();
      }
    },
  };
}
