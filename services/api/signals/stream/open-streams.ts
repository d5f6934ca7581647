import type { Readable } from 'node:stream';
import type { Counter } from 'prom-client';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { Semaphore } from '#platform/flow/semaphore.ts';
import type { Directory } from '#records/directory.ts';
import type { Freshness } from '#schemas/api/dashboard.ts';
import {
  type LedgerPosition,
  MAX_MISSED,
  positionOfEventId,
  STREAMS_PER_CUSTOMER,
} from '#schemas/api/stream.ts';
import type { Caller } from '../../operations/caller.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { CostlyWork } from '../../operations/limits/costly-work.ts';
import { createCustomerPermits } from '../../operations/limits/customer-permits.ts';
import { readStats } from '../statistics/stats.ts';
import { CustomerStreams } from './customer-streams.ts';
import { EventQueue, type QueueBudget } from './event-queue.ts';
import { type InTurn, ledgerReads } from './ledger-reads.ts';
import { SignalFeed } from './signal-feed.ts';
import { streamMetrics } from './stream-metrics.ts';

/** Open streams per process. */
const MAX_STREAMS = 4_000;
/**
 * What may wait for one client: some hundreds of signals. A client that takes none of it for half a minute is
 * disconnected.
 */
const QUEUE_LIMITS = { maxBytes: 1024 * 1024, maxFrames: 1_000, stalledMs: 30_000 };
/** What may wait for all clients of a process. */
const QUEUED_BYTES = 64 * 1024 * 1024;
/** Concurrent reads of new signals per process. */
const LIVE_READS = 4;
const TICK_MS = 250;
/** How long the topic is still read after the last stream closed, because clients reconnect. */
const FEED_LINGER_MS = 30_000;
/** Range of the delay before clients reconnect, so that they do not all reconnect at once. */
const RETRY_MS = { least: 1_000, most: 5_000 };
const RETRY_AFTER_SECONDS = 5;
const EVER = { sandboxSlug: undefined, range: { from: undefined, to: undefined } };

interface StreamDependencies
  extends Pick<ApiDependencies, 'warehouse' | 'log' | 'now' | 'metrics' | 'logger'> {
  readonly directory: Directory;
  readonly costly: Pick<CostlyWork, 'read'>;
  readonly freshness: () => Promise<Freshness>;
  /** In [0, 1). */
  readonly random: () => number;
}

interface StreamRequest {
  readonly caller: Caller;
  /** Id of the last event that the client received. */
  readonly lastEventId: string | null;
  /** Fires when the client leaves, and when the server closes. */
  readonly gone: AbortSignal;
  readonly hasLeft: () => boolean;
}

interface OpenedStream {
  readonly stream: Readable;
  /** Ends it as a complete answer, so the client reconnects. */
  readonly end: () => void;
}

/** The streams of a process, which share one reader of the topic, and per customer one reader of the warehouse. */
export class SignalStreams {
  readonly #dependencies: StreamDependencies;
  readonly #customers = new Map<string, CustomerStreams>();
  readonly #permits = createCustomerPermits({ total: MAX_STREAMS, perCustomer: STREAMS_PER_CUSTOMER });
  /** Permits by customer: its streams are kept while it has any. */
  readonly #held = new Map<string, number>();
  readonly #open = new Set<EventQueue>();
  readonly #budget: QueueBudget = { maxBytes: QUEUED_BYTES, heldBytes: 0 };
  readonly #live = new Semaphore({ permits: LIVE_READS, permitsPerKey: 1 });
  readonly #feed: SignalFeed;
  readonly #overflows: Counter;
  #isGap = false;
  #emptySince: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: StreamDependencies) {
    this.#dependencies = dependencies;
    this.#overflows = streamMetrics(dependencies.metrics, {
      open: () => this.#open.size,
      queuedBytes: () => this.#budget.heldBytes,
    });
    this.#feed = new SignalFeed({
      log: dependencies.log,
      onStored: (customerId, range) => this.#customers.get(customerId)?.ledger.report(range),
      onGap: () => {
        this.#isGap = true;
      },
      logger: dependencies.logger,
    });
  }

  /** Throws STREAM_LIMIT_REACHED or UNAVAILABLE; also rejects with errors of the log or the warehouse. */
  async open(request: StreamRequest): Promise<OpenedStream> {
    const { caller, lastEventId, gone } = request;
    const from = lastEventId === null ? null : positionOf(lastEventId);
    const leave = this.#enter(caller.customerId);
    try {
      const streams = this.#streamsOf(caller);
      // First the feed: it reports what is stored from now on, and anything stored earlier is read.
      await this.#feed.start();
      const { costly } = this.#dependencies;
      const turn = { gone, plan: caller.customer.plan };
      const inTurn: InTurn = (work) => costly.read.during(caller.customerId, turn, work);
      const reads = ledgerReads(this.#dependencies, caller.customerId, inTurn);
      const beginning = await streams.ledger.begin(from, reads);
      const queue = this.#queueFor(streams, leave);
      endWith(request, queue);
      streams.add(queue, beginning, reads, this.#retryMs());
      return { stream: queue.stream, end: () => queue.end() };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const queue of this.#open) queue.end();
    await this.#feed.stop();
  }

  /** Takes a permit; the returned function releases it. */
  #enter(customerId: string): () => void {
    const own = this.#held.get(customerId) ?? 0;
    const release = this.#permits.take(customerId);
    if (release === null) throw refusal(own);
    this.#held.set(customerId, own + 1);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    return () => {
      release();
      const left = (this.#held.get(customerId) ?? 1) - 1;
      if (left > 0) this.#held.set(customerId, left);
      else {
        this.#held.delete(customerId);
        this.#customers.delete(customerId);
      }
    };
  }

  #queueFor(streams: CustomerStreams, leave: () => void): EventQueue {
    const queue: EventQueue = new EventQueue({
      limits: QUEUE_LIMITS,
      budget: this.#budget,
      now: this.#dependencies.now,
      onClose: () => {
        this.#open.delete(queue);
        streams.remove(queue);
        leave();
      },
      onOverflow: () => this.#overflows.inc(),
    });
    this.#open.add(queue);
    return queue;
  }

  #streamsOf(caller: Caller): CustomerStreams {
    const { customerId, customer } = caller;
    const known = this.#customers.get(customerId);
    if (known !== undefined) return known;
    const { costly, freshness, now } = this.#dependencies;
    const inTurn: InTurn = async (work) => {
      const release = await this.#live.acquire({ key: customerId });
      try {
        return await work();
      } finally {
        release?.();
      }
    };
    const streams = new CustomerStreams({
      source: ledgerReads(this.#dependencies, customerId, inTurn),
      maxMissed: MAX_MISSED,
      readStats: () => {
        const turn = { gone: new AbortController().signal, plan: customer.plan };
        return costly.read.during(customerId, turn, () => readStats(this.#dependencies, customerId, EVER));
      },
      freshness,
      now,
      onFailure: this.#noteFailure,
    });
    this.#customers.set(customerId, streams);
    return streams;
  }

  #tick(): void {
    if (this.#isGap) {
      this.#isGap = false;
      for (const { ledger } of this.#customers.values()) ledger.refresh().catch(this.#refreshAgain);
    }
    for (const streams of this.#customers.values()) streams.tick();
    const now = this.#dependencies.now();
    if (this.#held.size > 0) this.#emptySince = null;
    else this.#emptySince ??= now;
    if (this.#emptySince === null || now - this.#emptySince < FEED_LINGER_MS) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#emptySince = null;
    void this.#feed.stop();
  }

  readonly #noteFailure = (err: unknown): void =>
    this.#dependencies.logger.debug({ err }, 'failed to read for event stream; retrying');

  readonly #refreshAgain = (error: unknown): void => {
    this.#isGap = true;
    this.#noteFailure(error);
  };

  #retryMs(): number {
    return RETRY_MS.least + this.#dependencies.random() * (RETRY_MS.most - RETRY_MS.least);
  }
}

/** Ends a stream with its request: as a complete answer if the server closes, at once if the client has left. */
function endWith({ gone, hasLeft }: StreamRequest, queue: EventQueue): void {
  const onGone = (): void => {
    if (hasLeft()) queue.stream.destroy();
    else queue.end();
  };
  gone.addEventListener('abort', onGone, { once: true });
  queue.stream.once('close', () => gone.removeEventListener('abort', onGone));
  if (gone.aborted) onGone();
}

function positionOf(lastEventId: string): LedgerPosition {
  const position = positionOfEventId(lastEventId);
  if (position === null)
    throw invalid(
      'Last-Event-ID',
      'must be the id of an event of this stream; omit it to start with new events',
    );
  return position;
}

function refusal(own: number): Refusal {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  if (own >= STREAMS_PER_CUSTOMER) return new Refusal('STREAM_LIMIT_REACHED', { retryAfterSeconds });
  return new Refusal('UNAVAILABLE', {
    message: 'Too many open streams on this server. Connect again later.',
    retryAfterSeconds,
  });
}
