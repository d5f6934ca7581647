import type { JudgeSettings } from '#platform/config/settings.ts';
import { createRandomPool } from '#platform/sealing/random-pool.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { chatClient } from './client.ts';
import { createJudge } from './judge.ts';
import { createJudging, type Judging } from './judging.ts';
import type { JudgeMetrics } from './port.ts';

interface JudgingDependencies {
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: JudgeMetrics;
}

/** The judge from the settings. It is first called for the first audit with something to judge. */
export function startJudging(
  settings: JudgeSettings,
  { clock, logger, metrics }: JudgingDependencies,
): Judging {
  const { url, model, codes, onOutage } = settings;
  const randomBytes = createRandomPool();
  const judge = createJudge({
    ...settings,
    client: chatClient(settings),
    randomBytes,
    clock,
    metrics,
    logger,
  });
  logger.info(
    { host: new URL(url).host, model, codes, onOutage },
    'judge enabled; masked texts are sent to it',
  );
  return createJudging({ judge, codes, onOutage, clock, metrics });
}
