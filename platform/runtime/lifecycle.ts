import type { Logger } from './logger.ts';

interface Part {
  readonly name: string;
  readonly stop: () => Promise<void> | void;
}

export interface Lifecycle {
  /** Registers how a started part is stopped; parts stop in reverse order of their start. */
  add(name: string, stop: Part['stop']): void;
  /** Stops everything once; later calls wait for the first. Resolves to true when every part stopped cleanly. */
  stop(): Promise<boolean>;
}

/** Stops parts in reverse order. One part that fails to stop is logged and does not keep the others running. */
export function createLifecycle(logger: Logger): Lifecycle {
  const parts: Part[] = [];
  let stopping: Promise<boolean> | undefined;

  const stopAll = async (): Promise<boolean> => {
    let clean = true;
    for (const part of parts.reverse()) {
      try {
        await part.stop();
        logger.debug({ part: part.name }, 'stopped');
      } catch (error) {
        clean = false;
        logger.error({ part: part.name, err: error }, 'a part did not stop cleanly');
      }
    }
    return clean;
  };

  return {
    add: (name, stop) => {
      parts.push({ name, stop });
    },
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}

const DRAIN_LIMIT_MS = 9_000;

/** Drains and leaves: with `code` when all stopped, with 1 after `limitMs` or a fault. */
export function leave(lifecycle: Lifecycle, logger: Logger, code: number, limitMs = DRAIN_LIMIT_MS): void {
  setTimeout(() => {
    logger.error(
      { limitMs },
      'draining took too long; leaving. Nothing acknowledged is lost: it is read again',
    );
    process.exit(1);
  }, limitMs).unref();
  void lifecycle.stop().then((clean) => process.exit(clean ? code : 1));
}

/** Leaves on SIGINT or SIGTERM. A second signal leaves at once. */
export function leaveOnSignal(lifecycle: Lifecycle, logger: Logger, limitMs = DRAIN_LIMIT_MS): void {
  let signals = 0;
  const onSignal = (signal: string): void => {
    signals += 1;
    if (signals > 1) process.exit(1);
    logger.info({ signal }, 'draining; a second signal leaves at once');
    leave(lifecycle, logger, 0, limitMs);
  };
  process.on('SIGINT', () => onSignal('SIGINT'));
  process.on('SIGTERM', () => onSignal('SIGTERM'));
}
