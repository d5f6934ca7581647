import type { Logger } from '#platform/telemetry/logger.ts';

/** Warns of settings in the environment that are probably misspelled. No value is logged. */
export function warnMisspelled(logger: Logger, hints: readonly string[]): void {
  for (const hint of hints) logger.warn({ hint }, 'unknown setting ignored');
}
