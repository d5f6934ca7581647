import type { Freshness, Stats } from '#schemas/api/dashboard.ts';
import type { EventQueue } from './event-queue.ts';
import { type Beginning, FollowedLedger, type LedgerSource } from './followed-ledger.ts';
import { COMMENT, frameOf, retryFrame } from './frames.ts';
import { StatsEvents } from './stats-events.ts';

/** Interval of comments to each stream, ms: proxies close a connection that is silent for long. */
export const COMMENT_MS = 15_000;

/**
 * Signals per read: for all streams of a customer, and for one that catches up. At a few hundred a second, one read
 * covers what the sink stored at once; as frames of ordinary signals it is half of what may wait for a client.
 */
const PAGE = { live: 400, missed: 100 };

interface CustomerStreamsOptions {
  readonly source: LedgerSource;
  readonly maxMissed: number;
  readonly readStats: () => Promise<Stats>;
  readonly freshness: () => Promise<Freshness>;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** All open streams of one customer in a process. */
export class CustomerStreams {
  readonly ledger: FollowedLedger;
  readonly #options: CustomerStreamsOptions;
  readonly #stats: StatsEvents;
  readonly #open = new Set<EventQueue>();
  #commentedAt: number;

  constructor(options: CustomerStreamsOptions) {
    const { source, maxMissed, readStats, freshness, now, onFailure } = options;
    this.#options = options;
    this.#commentedAt = now();
    this.ledger = new FollowedLedger({
      source,
      maxMissed,
      page: PAGE,
      resetFrame: (reason, position) => frameOf({ event: 'reset', data: { reason } }, position),
      onMoved: () => this.#stats.moved(),
      onFailure,
    });
    this.#stats = new StatsEvents({
      read: readStats,
      freshness,
      send: (frame) => {
        for (const queue of this.#open) queue.send(frame);
      },
      now,
      onFailure,
    });
  }

  /** Sends a stream's first events, and everything after them from then on. */
  add(queue: EventQueue, beginning: Beginning, reads: LedgerSource, retryMs: number): void {
    this.#open.add(queue);
    const { resumed, reset, position } = beginning;
    queue.send(retryFrame(retryMs));
    queue.send(frameOf({ event: 'ready', data: { resumed } }, position));
    if (reset !== null) queue.send(frameOf({ event: 'reset', data: { reason: reset } }, position));
    const { frame } = this.#stats;
    if (frame !== null) queue.send(frame);
    void this.ledger.follow(queue, beginning, reads);
  }

  remove(queue: EventQueue): void {
    this.#open.delete(queue);
    this.ledger.leave(queue);
  }

  /** Call this a few times a second. */
  tick(): void {
    // Retries after a failure.
    this.ledger.pump();
    this.#stats.tick();
    for (const queue of this.#open) queue.check();
    const now = this.#options.now();
    if (now - this.#commentedAt < COMMENT_MS) return;
    this.#commentedAt = now;
    for (const queue of this.#open) queue.send(COMMENT);
  }
}
