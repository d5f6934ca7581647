import { ApiError, unavailable } from './errors.ts';

/** Work that costs much, so that little of it goes on at once, and customers take turns at it. */
export interface Turns {
  /**
   * Does the work when the customer's turn has come. Throws TOO_MANY_AT_ONCE when too much of the customer's waits
   * already, UNAVAILABLE when too much of all does, or when `gone` fires while it waits.
   */
  during<Result>(
    customerId: string,
    call: { readonly gone: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

export interface TurnLimits {
  /** Under way at once, of all customers. */
  readonly atOnce: number;
  /** Under way at once, of one customer. */
  readonly perCustomer: number;
  /** Waiting, of one customer. */
  readonly waitingPerCustomer: number;
  /** Waiting, of all. */
  readonly waiting: number;
  /** What a refused client is told to wait. */
  readonly retryAfterSeconds: number;
}

interface Waiter {
  readonly begin: () => void;
}

/**
 * Whoever asks first begins first, within a customer; between customers each has one turn, then the next one has, and
 * however much one asks for, another waits for what is under way and no more. Holds an entry for each customer with
 * work under way or waiting.
 */
export function createTurns(limits: TurnLimits): Turns {
  const running = new Map<string, number>();
  /** In the order of turns: whose turn it was goes to the end. Lists are never empty. */
  const queues = new Map<string, Set<Waiter>>();
  let all = 0;
  let waiting = 0;

  const mayBegin = (customerId: string): boolean =>
    all < limits.atOnce && (running.get(customerId) ?? 0) < limits.perCustomer;
  const begin = (customerId: string): void => {
    all++;
    running.set(customerId, (running.get(customerId) ?? 0) + 1);
  };
  const end = (customerId: string): void => {
    all--;
    const left = (running.get(customerId) ?? 0) - 1;
    if (left > 0) running.set(customerId, left);
    else running.delete(customerId);
    beginNext();
  };
  const leave = (customerId: string, waiter: Waiter): boolean => {
    const queue = queues.get(customerId);
    if (queue?.delete(waiter) !== true) return false;
    waiting--;
    if (queue.size === 0) queues.delete(customerId);
    return true;
  };
  /** Customers that have their share are passed over; there are fewer of them than may be under way at once. */
  const beginNext = (): void => {
    for (const [customerId, queue] of queues) {
      if (!mayBegin(customerId)) continue;
      const [waiter] = queue;
      if (waiter === undefined) throw new Error('a queue of turns is empty');
      leave(customerId, waiter);
      if (queue.size > 0) {
        queues.delete(customerId);
        queues.set(customerId, queue);
      }
      begin(customerId);
      waiter.begin();
      return;
    }
  };
  const wait = (customerId: string, gone: AbortSignal): Promise<void> => {
    const queue = queues.get(customerId) ?? new Set<Waiter>();
    const retryAfter = { 'retry-after': String(limits.retryAfterSeconds) };
    // Of the last places a customer gets fewer than it leaves to others.
    const isOver = queue.size > 0 && queue.size >= limits.waiting - waiting;
    if (queue.size >= limits.waitingPerCustomer || isOver)
      throw new ApiError('TOO_MANY_AT_ONCE', { headers: retryAfter });
    if (waiting >= limits.waiting) {
      throw new ApiError('UNAVAILABLE', {
        message: 'Too many requests wait for their turn; repeat the request later',
        headers: retryAfter,
      });
    }
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        if (leave(customerId, waiter)) reject(unavailable(new Error('the client left before its turn')));
      };
      const waiter: Waiter = {
        begin: () => {
          gone.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      queue.add(waiter);
      queues.set(customerId, queue);
      waiting++;
      gone.addEventListener('abort', giveUp, { once: true });
      if (gone.aborted) giveUp();
    });
  };

  return {
    during: async (customerId, call, work) => {
      if (!queues.has(customerId) && mayBegin(customerId)) begin(customerId);
      else await wait(customerId, call.gone);
      try {
        return await work();
      } finally {
        end(customerId);
      }
    },
  };
}
