import type { ConsumerHandlers } from './port.ts';

interface ConsumerStopOptions {
  readonly group: string;
  readonly handlers: Pick<ConsumerHandlers, 'onStopped'>;
  readonly logger: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Releases the partitions and leaves the group. */
  readonly leave: () => Promise<void>;
}

/** Stops a consumer, when its owner asks or after a failure; it leaves its group only once. */
export class ConsumerStop {
  readonly #options: ConsumerStopOptions;
  #leaving: Promise<void> | null = null;

  constructor(options: ConsumerStopOptions) {
    this.#options = options;
  }

  get stopped(): boolean {
    return this.#leaving !== null;
  }

  stop(): Promise<void> {
    this.#leaving ??= this.#options.leave();
    return this.#leaving;
  }

  /** Stops because a handler threw, or because the log cannot be read any further. */
  fail(error: unknown): void {
    const { group, handlers, logger } = this.#options;
    if (this.stopped) {
      logger.warn({ group, reason: classOf(error) }, 'consumer failed while stopping');
      return;
    }
    void this.stop();
    try {
      handlers.onStopped?.(
        error instanceof Error
          ? error
          : new Error('a handler threw something that is not an Error', { cause: error }),
      );
    } catch (thrown) {
      logger.error({ group, reason: classOf(thrown) }, 'consumer stop handler failed');
    }
  }
}

/** A handler's error may quote the data it handled, so only its class is logged. */
const classOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
