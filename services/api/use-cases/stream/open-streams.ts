import type { Readable } from 'node:stream';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Semaphore } from '#platform/flow/semaphore.ts';
import type { Freshness } from '#schemas/api/dashboard.ts';
import { type LedgerPlace, MAX_MISSED, placeOfEventId, STREAMS_PER_CUSTOMER } from '#schemas/api/stream.ts';
import type { Directory } from '#services/customers/directory.ts';
import type { CostlyWork } from '../../costly-work.ts';
import { createCustomerPermits } from '../../customer-permits.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { Caller } from '../../plugins/authentication.ts';
import { isStillAdmitted } from '../../plugins/still-admitted.ts';
import { readStats } from '../signals/stats.ts';
import { CustomerStreams } from './customer-streams.ts';
import { EventQueue, type QueueBudget } from './event-queue.ts';
import { type InTurn, ledgerReads } from './ledger-reads.ts';
import { SignalFeed } from './signal-feed.ts';

/** Open in a process. */
const MAX_STREAMS = 4_000;
/** What waits for one client: some hundreds of signals. One that takes nothing of it for half a minute is gone. */
export const QUEUE_LIMITS = { maxBytes: 1024 * 1024, maxFrames: 1_000, stalledMs: 30_000 };
/** What waits for all clients of a process. */
export const QUEUED_BYTES = 64 * 1024 * 1024;
/** Reads of new signals that run at once in a process. */
const LIVE_READS = 4;
const TICK_MS = 250;
/** The topic is read on for so long after the last stream was closed: clients come again. */
const FEED_LINGER_MS = 30_000;
/** Clients wait between these before they connect again, so that not all of them come at once. */
const RETRY_MS = { least: 1_000, most: 5_000 };
const RETRY_AFTER_SECONDS = 5;

export interface StreamDependencies
  extends Pick<ApiDependencies, 'warehouse' | 'log' | 'state' | 'now' | 'metrics' | 'logger'> {
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

export interface SignalStreams {
  /** Throws STREAM_LIMIT_REACHED or UNAVAILABLE; rejects with what log or warehouse reject with. */
  open(request: StreamRequest): Promise<Readable>;
  stop(): Promise<void>;
}

/** The streams of a process: one reading of the topic, and of each customer one reading of the warehouse, for all. */
export function createSignalStreams(dependencies: StreamDependencies): SignalStreams {
  const { now, logger, random } = dependencies;
  const customers = new Map<string, CustomerStreams>();
  const permits = createCustomerPermits({ total: MAX_STREAMS, perCustomer: STREAMS_PER_CUSTOMER });
  const budget: QueueBudget = { maxBytes: QUEUED_BYTES, heldBytes: 0 };
  const counted = countersOf(
    dependencies.metrics,
    () => open.size,
    () => budget.heldBytes,
  );
  const live = new Semaphore({ permits: LIVE_READS, permitsPerKey: 1 });
  const open = new Set<EventQueue>();
  const held = new Map<string, number>();
  let isGap = false;
  let emptySince: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const onFailure = (err: unknown): void => logger.debug({ err }, 'a stream waits for another try');
  const feed = new SignalFeed({
    log: dependencies.log,
    onTold: (customerId, range) => customers.get(customerId)?.ledger.tell(range),
    onGap: () => {
      isGap = true;
    },
    logger,
  });

  const tick = (): void => {
    if (isGap) {
      isGap = false;
      for (const { ledger } of customers.values())
        ledger.look().catch((error: unknown) => {
          isGap = true;
          onFailure(error);
        });
    }
    for (const streams of customers.values()) streams.tick();
    if (customers.size > 0) emptySince = null;
    else emptySince ??= now();
    if (emptySince === null || now() - emptySince < FEED_LINGER_MS) return;
    clearInterval(timer);
    timer = undefined;
    emptySince = null;
    void feed.stop();
  };
  const streamsOf = (caller: Caller): CustomerStreams => {
    const { customerId } = caller;
    const known = customers.get(customerId);
    if (known !== undefined) return known;
    const streams = new CustomerStreams({
      source: ledgerReads(dependencies, customerId, async (work) => {
        const release = await live.acquire({ key: customerId });
        try {
          return await work();
        } finally {
          release?.();
        }
      }),
      maxMissed: MAX_MISSED,
      readStats: () =>
        dependencies.costly.read.during(
          customerId,
          { gone: new AbortController().signal, plan: caller.customer.plan },
          () =>
            readStats(dependencies, customerId, {
              sandboxSlug: undefined,
              range: { from: undefined, to: undefined },
            }),
        ),
      freshness: dependencies.freshness,
      isAdmitted: (admission) =>
        isStillAdmitted(dependencies.state.documents, { customerId, admission, now: now() }),
      now,
      onFailure,
    });
    customers.set(customerId, streams);
    return streams;
  };

  /** A permit, and the customer's streams, which exist for as long as anybody holds a permit. */
  const enter = (caller: Caller): { streams: CustomerStreams; leave: () => void } => {
    const { customerId } = caller;
    const own = held.get(customerId) ?? 0;
    const release = permits.take(customerId);
    if (release === null) throw refusal(own);
    held.set(customerId, own + 1);
    timer ??= setInterval(tick, TICK_MS).unref();
    const leave = (): void => {
      release();
      const left = (held.get(customerId) ?? 1) - 1;
      if (left > 0) held.set(customerId, left);
      else {
        held.delete(customerId);
        customers.delete(customerId);
      }
    };
    return { streams: streamsOf(caller), leave };
  };

  return {
    open: async ({ caller, lastEventId, gone, hasLeft }) => {
      const from = lastEventId === null ? null : placeOf(lastEventId);
      const { streams, leave } = enter(caller);
      try {
        // First the feed: what is stored from now on is told, and what was stored before is read.
        await feed.start();
        const inTurn: InTurn = (work) =>
          dependencies.costly.read.during(caller.customerId, { gone, plan: caller.customer.plan }, work);
        const reads = ledgerReads(dependencies, caller.customerId, inTurn);
        const beginning = await streams.ledger.begin(from, reads);
        const queue: EventQueue = new EventQueue({
          limits: QUEUE_LIMITS,
          budget,
          now,
          onClose: () => {
            open.delete(queue);
            streams.remove(queue);
            leave();
          },
          onOverflow: () => counted.overflows.inc(),
        });
        open.add(queue);
        const onGone = (): void => {
          if (hasLeft()) queue.stream.destroy();
          else queue.end();
        };
        gone.addEventListener('abort', onGone, { once: true });
        queue.stream.once('close', () => gone.removeEventListener('abort', onGone));
        const retryMs = RETRY_MS.least + random() * (RETRY_MS.most - RETRY_MS.least);
        streams.add(queue, caller, beginning, reads, retryMs);
        if (gone.aborted) onGone();
        return queue.stream;
      } catch (error) {
        leave();
        throw error;
      }
    },
    stop: async () => {
      clearInterval(timer);
      timer = undefined;
      for (const queue of open) queue.end();
      await feed.stop();
    },
  };
}

function placeOf(lastEventId: string): LedgerPlace {
  const place = placeOfEventId(lastEventId);
  if (place === null)
    throw invalid('Last-Event-ID', 'send the id of an event of this stream, or leave it out');
  return place;
}

function refusal(own: number): ApiError {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
  if (own >= STREAMS_PER_CUSTOMER) return new ApiError('STREAM_LIMIT_REACHED', { headers });
  return new ApiError('UNAVAILABLE', {
    message: 'This process has as many streams open as it may; connect again later',
    headers,
  });
}

const OPEN = 'cas_streams_open';
const QUEUED = 'cas_streams_queued_bytes';
const OVERFLOWS = 'cas_streams_overflows_total';

/** Shared by the listeners of a process, of which one serves streams. */
function countersOf(registry: Registry, open: () => number, queued: () => number) {
  if (registry.getSingleMetric(OPEN) === undefined) {
    new Gauge({
      name: OPEN,
      help: 'Streams of signals that are open',
      registers: [registry],
      collect() {
        this.set(open());
      },
    });
    new Gauge({
      name: QUEUED,
      help: 'Bytes that wait for clients of streams; those of all clients that get the same count for each',
      registers: [registry],
      collect() {
        this.set(queued());
      },
    });
  }
  const overflows =
    (registry.getSingleMetric(OVERFLOWS) as Counter | undefined) ??
    new Counter({
      name: OVERFLOWS,
      help: 'Streams that were ended because their client did not read',
      registers: [registry],
    });
  return { overflows };
}
