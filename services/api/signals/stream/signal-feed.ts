import type { EventLog, StoredRecord, Tail } from '#platform/event-log/port.ts';
import type { Backoff } from '#platform/flow/backoff.ts';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { SIGNALS } from '#schemas/topics.ts';
import type { ToldRange } from './followed-ledger.ts';

const BACKOFF: Backoff = { firstMs: 200, maxMs: 5_000, random: Math.random };

interface SignalFeedOptions {
  readonly log: Pick<EventLog, 'tail'>;
  readonly onTold: (customerId: string, range: ToldRange) => void;
  /** Something may not have been told. */
  readonly onGap: () => void;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What the sink tells of folded entries, read from the end of its topic, by each process for itself. */
export class SignalFeed {
  readonly #options: SignalFeedOptions;
  #tail: Promise<Tail> | null = null;
  /** It had begun, and is begun again after a failure: that what was missed meanwhile is looked for afterwards. */
  #isInterrupted = false;
  #stopping = new AbortController();

  constructor(options: SignalFeedOptions) {
    this.#options = options;
  }

  /** Resolves when everything that is stored from now on will be told. Rejects with `LogUnavailable`. */
  async start(): Promise<void> {
    this.#tail ??= this.#begin();
    if (!this.#isInterrupted) await this.#tail;
  }

  /** Reads no more until it is started again. */
  async stop(): Promise<void> {
    const tail = this.#tail;
    this.#tail = null;
    this.#isInterrupted = false;
    this.#stopping.abort();
    this.#stopping = new AbortController();
    await (await tail?.catch(() => undefined))?.stop();
  }

  #begin(): Promise<Tail> {
    const beginning = this.#read();
    // The next one who asks tries again.
    beginning.catch(() => {
      if (this.#tail === beginning) this.#tail = null;
    });
    return beginning;
  }

  #read(): Promise<Tail> {
    const { log, onGap, logger } = this.#options;
    const stopping = this.#stopping.signal;
    return log.tail({
      topic: SIGNALS.name,
      onBatch: ({ records }) => {
        for (const record of records) this.#tell(record);
      },
      onPassed: onGap,
      onStopped: (err) => {
        if (stopping.aborted) return;
        logger.warn({ err }, 'signal feed interrupted; reconnecting');
        this.#isInterrupted = true;
        this.#tail = this.#beginAgain(stopping);
        this.#tail.catch(() => undefined);
      },
    });
  }

  async #beginAgain(signal: AbortSignal): Promise<Tail> {
    const retried = { backoff: BACKOFF, isRetryable: () => true, signal };
    const tail = await retryWithBackoff(retried, () => this.#read());
    if (signal.aborted) await tail.stop();
    else {
      this.#isInterrupted = false;
      this.#options.onGap();
    }
    return tail;
  }

  /** The record's headers say all that is needed: nothing is decoded here. */
  #tell({ key, headers }: StoredRecord): void {
    const [first, last, epoch] = [headers.first, headers.last, headers.epoch].map(Number) as [
      number,
      number,
      number,
    ];
    if (![first, last, epoch].every(Number.isSafeInteger)) {
      // Not ours; what it was to tell may be stored all the same.
      this.#options.onGap();
      return;
    }
    this.#options.onTold(key, { first, last, epoch });
  }
}
