import type { EventLog, StoredRecord, Tail } from '#platform/event-log/port.ts';
import type { Backoff } from '#platform/flow/backoff.ts';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { SIGNALS } from '#schemas/topics.ts';
import type { StoredRange } from './followed-ledger.ts';

const BACKOFF: Backoff = { firstMs: 200, maxMs: 5_000, random: Math.random };

interface SignalFeedOptions {
  readonly log: Pick<EventLog, 'tail'>;
  readonly onStored: (customerId: string, range: StoredRange) => void;
  /** Called when a report may have been missed. */
  readonly onGap: () => void;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The sink's reports of folded entries, which each process reads for itself from the end of the topic. */
export class SignalFeed {
  readonly #options: SignalFeedOptions;
  #tail: Promise<Tail> | null = null;
  /** The feed had started and is being restarted after a failure; then `onGap` makes up for what was missed. */
  #isInterrupted = false;
  #stopping = new AbortController();

  constructor(options: SignalFeedOptions) {
    this.#options = options;
  }

  /** Resolves when everything stored from now on will be reported. Rejects with `LogUnavailable`. */
  async start(): Promise<void> {
    this.#tail ??= this.#begin();
    if (!this.#isInterrupted) await this.#tail;
  }

  /** Stops reading until the next `start`. */
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
    // The next `start` retries.
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
        for (const record of records) this.#report(record);
      },
      onSkipped: onGap,
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

  /** The record's headers contain everything, so nothing is decoded. */
  #report({ key, headers }: StoredRecord): void {
    const [first, last, epoch] = [headers.first, headers.last, headers.epoch].map(Number) as [
      number,
      number,
      number,
    ];
    if (![first, last, epoch].every(Number.isSafeInteger)) {
      // Not our record, but the entries that it was to report may be stored.
      this.#options.onGap();
      return;
    }
    this.#options.onStored(key, { first, last, epoch });
  }
}
