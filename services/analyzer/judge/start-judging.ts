import type { JudgeSettings } from '../../../platform/runtime/judge-settings.ts';
import type { Logger } from '../../../platform/runtime/logger.ts';
import { createRandomPool } from '../../../platform/sealing/random-pool.ts';
import { chatClient } from './client.ts';
import { createJudge } from './judge.ts';
import { createJudging, type Judging } from './judging.ts';
import type { JudgeMetrics } from './port.ts';

export interface JudgingParts {
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: JudgeMetrics;
}

/** The judge that the settings name. The first call is that of the first audit with something to judge. */
export function startJudging(settings: JudgeSettings, { clock, logger, metrics }: JudgingParts): Judging {
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
    'a language model judges rules that are sentences; texts are sent to it without the values that were found',
  );
  return createJudging({ judge, codes, onOutage, clock, metrics });
}
