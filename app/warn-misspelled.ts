import type { Logger } from '#platform/telemetry/logger.ts';

/** Warns about environment settings that are probably misspelled. Logs no values. */
export function warnMisspelled(logger: Logger, hints: readonly string[]): void {
  for (const hint of hints) logger.warn({ hint }, 'unknown setting ignored');
}
