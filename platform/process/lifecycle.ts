import type { Logger } from '../telemetry/logger.ts';

interface Started {
  readonly name: string;
  readonly stop: () => Promise<void> | void;
}

export interface Lifecycle {
  /** Registers a stop function; all run in reverse order of registration. */
  add(name: string, stop: Started['stop']): void;
  /** Stops everything once; later calls wait for the first. Resolves to true if all stopped cleanly. */
  stop(): Promise<boolean>;
}

/**
 * Stops what was started, in reverse order. A failure to stop is logged and does not prevent the others from stopping.
 */
export function createLifecycle(logger: Logger): Lifecycle {
  const running: Started[] = [];
  let stopping: Promise<boolean> | undefined;

  const stopAll = async (): Promise<boolean> => {
    let clean = true;
    for (const one of running.reverse()) {
      try {
        await one.stop();
        logger.debug({ component: one.name }, 'component stopped');
      } catch (error) {
        clean = false;
        logger.warn({ component: one.name, err: error }, 'failed to stop component');
      }
    }
    return clean;
  };

  return {
    add: (name, stop) => {
      running.push({ name, stop });
    },
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}

const DRAIN_LIMIT_MS = 9_000;

/** Drains and exits: with `code` if everything stopped, with 1 after `limitMs` or a fault. */
export function leave(lifecycle: Lifecycle, logger: Logger, code: number, limitMs = DRAIN_LIMIT_MS): void {
  setTimeout(() => {
    logger.warn({ timeoutMs: limitMs }, 'shutdown timed out; exiting');
    process.exit(1);
  }, limitMs).unref();
  void lifecycle.stop().then((clean) => process.exit(clean ? code : 1));
}

/** Drains and exits on SIGINT or SIGTERM; `onDrain` is called first. A second signal exits immediately. */
export function leaveOnSignal(
  lifecycle: Lifecycle,
  logger: Logger,
  limitMs = DRAIN_LIMIT_MS,
  onDrain: () => void = () => undefined,
): void {
  let signals = 0;
  const onSignal = (signal: string): void => {
    signals += 1;
    if (signals > 1) process.exit(1);
    onDrain();
    logger.info({ signal }, 'shutting down');
    leave(lifecycle, logger, 0, limitMs);
  };
  process.on('SIGINT', () => onSignal('SIGINT'));
  process.on('SIGTERM', () => onSignal('SIGTERM'));
}
