import { warmUpInSteps } from '#core/detect/warm-up.ts';
import { createDetection } from '#detection/detection.ts';
import { openAnalysisPool } from '#detection/detection-pool.ts';
import { runStepsInBackground, timeSlice } from '#platform/flow/time-slice.ts';
import type { ServiceContext } from '#platform/process/service-context.ts';
import { createRandomPool } from '#platform/sealing/random-pool.ts';
import type { Stream } from '#platform/stream/run-stream.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { sandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import { startJudging } from './judge/start-judging.ts';
import { createAnalyzer } from './pipeline.ts';
import { ANALYZER_GROUP, runAnalyzer } from './run-analyzer.ts';

/** Starts an analyzer: joins its group and runs until the lifecycle stops it. */
export async function startAnalyzer(
  options: ServiceContext & { readonly detectionTasks: Tasks | null },
): Promise<Stream> {
  const { dependencies, settings, lifecycle, logger, metrics, now } = options;
  const clock = (): number => performance.now();
  const analyzer = createAnalyzer({
    codec: dependencies.codec,
    keyring: dependencies.keyring,
    sandboxVersions: sandboxVersions(dependencies.state.documents),
    detection: createDetection({
      tasks: options.detectionTasks,
      lists: openAnalysisPool(settings, lifecycle),
      clock,
      stages: metrics.stages,
    }),
    stages: metrics.stages,
    now,
    clock,
    randomBytes: createRandomPool(),
    judging:
      settings.judge === null
        ? undefined
        : startJudging(settings.judge, { clock, logger, metrics: metrics.judge }),
  });
  const stream = await runAnalyzer({
    log: dependencies.log,
    state: dependencies.state,
    analyzer,
    logger,
    metrics: metrics.stream(ANALYZER_GROUP),
    onAppended: (records, durationMs) => metrics.stages.ended('append', records, durationMs),
    now,
  });
  if (settings.detection.warmUp)
    lifecycle.add('warm-up', runStepsInBackground(warmUpInSteps(), timeSlice(clock)));
  lifecycle.add('analyzer', stream.stop);
  return stream;
}
