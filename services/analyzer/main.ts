import { warmUpInSteps } from '../../core/detect/warm-up.ts';
import type { ServiceContext } from '../../platform/runtime/service-context.ts';
import { takeStepsBeside, timeSlice } from '../../platform/runtime/time-slice.ts';
import { createRandomPool } from '../../platform/sealing/random-pool.ts';
import type { Stream } from '../../platform/stream/run-stream.ts';
import { parseFaults } from './faults.ts';
import { startJudging } from './judge/start-judging.ts';
import { createAnalyzer } from './pipeline.ts';
import { ANALYZER_GROUP, runAnalyzer } from './run-analyzer.ts';

/** Starts an analyzer: joins its group and works until the lifecycle stops it. */
export async function startAnalyzer(options: ServiceContext): Promise<Stream> {
  const { parts, settings, lifecycle, logger, metrics, now, crashPoint } = options;
  const clock = (): number => performance.now();
  const analyzer = createAnalyzer({
    codec: parts.codec,
    keyring: parts.keyring,
    sandboxVersions: parts.sandboxVersions,
    now,
    clock,
    randomBytes: createRandomPool(),
    faults: parseFaults(settings.faultInjection),
    judging:
      settings.judge === null
        ? undefined
        : startJudging(settings.judge, { clock, logger, metrics: metrics.judge }),
  });
  const stream = await runAnalyzer({
    log: parts.log,
    state: parts.state,
    analyzer,
    crashPoint,
    logger,
    metrics: metrics.stream(ANALYZER_GROUP),
    now,
  });
  lifecycle.add('warm-up', takeStepsBeside(warmUpInSteps(), timeSlice(clock)));
  lifecycle.add('analyzer', stream.stop);
  return stream;
}
