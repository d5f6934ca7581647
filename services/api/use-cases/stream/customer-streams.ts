import { SESSION_IDLE_MS } from '#platform/state/port.ts';
import type { Freshness, Stats } from '#schemas/api/dashboard.ts';
import type { Caller } from '../../plugins/authentication/authentication.ts';
import type { EventQueue } from './event-queue.ts';
import { type Beginning, FollowedLedger, type LedgerSource } from './followed-ledger.ts';
import { COMMENT, frameOf, retryFrame } from './frames.ts';
import { StatsEvents } from './stats-events.ts';
import { admissionOf } from './still-admitted.ts';

/** A comment to each stream, and a look at its key, so often, ms. */
export const CHECK_MS = 15_000;
/** Checks of a key in a row that may go unanswered. */
const UNANSWERED_CHECKS = 4;

/**
 * Signals read at a time: for all streams of a customer, and for one that catches up. At a few hundred a second what the
 * sink stored at once is one read; as frames of ordinary signals it is half of what may wait for a
 * client.
 */
const PAGE = { live: 400, missed: 100 };

interface CustomerStreamsOptions {
  readonly source: LedgerSource;
  readonly maxMissed: number;
  readonly readStats: () => Promise<Stats>;
  readonly freshness: () => Promise<Freshness>;
  /** Whether a key or a session still opens the customer's data. */
  readonly isAdmitted: (admission: string) => Promise<boolean>;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

interface OpenStream {
  readonly admission: string;
  /** ms; then its client has to ask again. */
  readonly endsAt: number;
}

/** All open streams of one customer in a process. */
export class CustomerStreams {
  readonly ledger: FollowedLedger;
  readonly #options: CustomerStreamsOptions;
  readonly #stats: StatsEvents;
  readonly #open = new Map<EventQueue, OpenStream>();
  #checkedAt: number;
  #isChecking = false;
  #unanswered = 0;

  constructor(options: CustomerStreamsOptions) {
    const { source, maxMissed, readStats, freshness, now, onFailure } = options;
    this.#options = options;
    this.#checkedAt = now();
    this.ledger = new FollowedLedger({
      source,
      maxMissed,
      page: PAGE,
      resetFrame: (reason, place) => frameOf({ event: 'reset', data: { reason } }, place),
      onMoved: () => this.#stats.moved(),
      onFailure,
    });
    this.#stats = new StatsEvents({
      read: readStats,
      freshness,
      send: (frame) => {
        for (const queue of this.#open.keys()) queue.send(frame);
      },
      now,
      onFailure,
    });
  }

  /** Sends what a stream begins with, and everything behind it from then on. */
  add(
    queue: EventQueue,
    caller: Pick<Caller, 'madeBy' | 'session'>,
    beginning: Beginning,
    reads: LedgerSource,
    retryMs: number,
  ): void {
    // A stream is no use of its session: whether that was used meanwhile is looked at when the client comes again.
    const endsAt = caller.session === null ? Number.POSITIVE_INFINITY : this.#options.now() + SESSION_IDLE_MS;
    this.#open.set(queue, { admission: admissionOf(caller), endsAt });
    const { resumed, reset, place } = beginning;
    queue.send(retryFrame(retryMs));
    queue.send(frameOf({ event: 'ready', data: { resumed } }, place));
    if (reset !== null) queue.send(frameOf({ event: 'reset', data: { reason: reset } }, place));
    const { frame } = this.#stats;
    if (frame !== null) queue.send(frame);
    void this.ledger.follow(queue, beginning, reads);
  }

  remove(queue: EventQueue): void {
    this.#open.delete(queue);
    this.ledger.leave(queue);
  }

  endAll(): void {
    for (const queue of this.#open.keys()) queue.end();
  }

  /** To be called a few times a second. */
  tick(): void {
    // After a failure.
    this.ledger.pump();
    this.#stats.tick();
    for (const queue of this.#open.keys()) queue.check();
    const now = this.#options.now();
    if (now - this.#checkedAt < CHECK_MS) return;
    this.#checkedAt = now;
    for (const [queue, { endsAt }] of this.#open) if (now >= endsAt) queue.end();
    for (const queue of this.#open.keys()) queue.send(COMMENT);
    if (!this.#isChecking) void this.#checkAdmissions();
  }

  async #checkAdmissions(): Promise<void> {
    this.#isChecking = true;
    try {
      for (const admission of new Set([...this.#open.values()].map((one) => one.admission))) {
        if (await this.#options.isAdmitted(admission)) continue;
        for (const [queue, own] of this.#open) if (own.admission === admission) queue.end();
      }
      this.#unanswered = 0;
    } catch (error) {
      this.#options.onFailure(error);
      // Who cannot be asked for long is not believed any more.
      this.#unanswered += 1;
      if (this.#unanswered >= UNANSWERED_CHECKS) this.endAll();
    } finally {
      this.#isChecking = false;
    }
  }
}
