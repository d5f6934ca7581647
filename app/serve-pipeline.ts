import { createLifecycle, type Lifecycle } from '#platform/process/lifecycle.ts';
import type { Stream } from '#platform/stream/run-stream.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { forwardMetrics } from '#platform/telemetry/metrics/forwarded-metrics.ts';
import { answerCalls } from '#platform/threads/calls.ts';
import { lowerPriority } from '#platform/threads/lower-priority.ts';
import { tasksOver } from '#platform/threads/shared-tasks.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { startAnalyzer } from '#services/analyzer/main.ts';
import { startCorrelator } from '#services/correlator/main.ts';
import { startSink } from '#services/sink/main.ts';
import { type Composition, unchanged } from './composition.ts';
import { openDependencies } from './dependencies.ts';
import type {
  ConsumerName,
  PipelineData,
  PipelineNews,
  PipelineStart,
  SentHealth,
} from './pipeline-messages.ts';
import { threadDependencies } from './thread-dependencies.ts';

/**
 * Runs analyzer, sink and correlator in this thread at the main thread's request, so that the API has its event loop to
 * itself.
 */
export function servePipeline(
  { settings, control, news }: PipelineData,
  { probe, around = unchanged }: Composition = {},
): void {
  const report = (message: PipelineNews): void => news.postMessage(message);
  // Processing accepted audits is less urgent than answering clients.
  lowerPriority();
  const logger = createLogger(settings.logLevel, { write: (line: string) => report({ line }) });
  const lifecycle = createLifecycle(logger);
  const forwarded = forwardMetrics((counted) => report({ counted }));
  let streams: Readonly<Record<ConsumerName, Stream>> | null = null;

  const start = async ({ epoch, shared, detection }: PipelineStart): Promise<void> => {
    const options = { settings, lifecycle, logger, now: Date.now };
    const openers = threadDependencies(shared, options);
    const opened = await openDependencies(openers, options);
    const dependencies = { ...opened, warehouse: await openers.warehouse() };
    const context = { ...options, metrics: forwarded.metrics, probe };
    const sink = await startSink({
      ...context,
      dependencies: around('sink', dependencies),
      epoch,
      onFinal: (final) => report({ final }),
    });
    const correlator = await startCorrelator({
      ...context,
      dependencies: around('correlator', dependencies),
    });
    const analyzer = await startAnalyzer({
      ...context,
      dependencies: around('analyzer', dependencies),
      detectionTasks: tasksOfMain(detection, lifecycle),
    });
    streams = { ...sink, ...correlator, analyzer };
  };

  const health = (name: ConsumerName): SentHealth => {
    if (streams === null) throw new Error('analyzer and sink have not started');
    const { stopped, ...known } = streams[name].health();
    return { ...known, stopped: stopped?.message ?? null };
  };

  /** True when all stopped cleanly. */
  const stop = async (): Promise<boolean> => {
    const clean = await lifecycle.stop();
    forwarded.stop();
    return clean;
  };

  answerCalls(control, { start, health, stop });
}

/** The threads for long texts belong to the main thread: API and analyzer share them. */
function tasksOfMain(detection: PipelineStart['detection'], lifecycle: Lifecycle): Tasks | null {
  if (detection === null) return null;
  const tasks = tasksOver(detection);
  lifecycle.add('detection thread connection', tasks.close);
  return tasks;
}
