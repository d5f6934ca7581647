import { workerData } from 'node:worker_threads';
import { goBehind } from '../../platform/runtime/background.ts';
import { createCrashPoint } from '../../platform/runtime/crash-point.ts';
import { forwardMetrics } from '../../platform/runtime/forwarded-metrics.ts';
import { createLifecycle } from '../../platform/runtime/lifecycle.ts';
import { createLogger } from '../../platform/runtime/logger.ts';
import { openParts } from '../../platform/runtime/parts.ts';
import { threadParts } from '../../platform/runtime/thread-parts.ts';
import type { Stream } from '../../platform/stream/run-stream.ts';
import { answerCalls } from '../../platform/threads/calls.ts';
import { startAnalyzer } from '../../services/analyzer/main.ts';
import { startSink } from '../../services/sink/main.ts';
import type { ConsumerName, PipelineNews, PipelineStart, SentHealth } from './pipeline-messages.ts';

/** Main module of the thread in which analyzer and sink work, so that the event loop of the API is the API's alone. */
const { settings, epoch, shared, control, news } = workerData as PipelineStart;
const tell = (message: PipelineNews): void => news.postMessage(message);

// What is accepted already may take its time.
goBehind();

const logger = createLogger(settings.logLevel, { write: (line: string) => tell({ line }) });
const lifecycle = createLifecycle(logger);
const forwarded = forwardMetrics((counted) => tell({ counted }));
let streams: Readonly<Record<ConsumerName, Stream>> | null = null;

async function start(): Promise<void> {
  const options = { settings, lifecycle, logger, now: Date.now };
  const openers = await threadParts(shared, options);
  const parts = { ...(await openParts(openers, options)), warehouse: await openers.warehouse() };
  const crashPoint = createCrashPoint(settings.crashAt);
  const context = { ...options, parts, metrics: forwarded.metrics, crashPoint };
  const sink = await startSink({ ...context, epoch, onFinal: (final) => tell({ final }) });
  streams = { sink, analyzer: await startAnalyzer(context) };
}

function health(name: ConsumerName): SentHealth {
  if (streams === null) throw new Error('analyzer and sink are not started');
  const { stopped, ...known } = streams[name].health();
  return { ...known, stopped: stopped?.message ?? null };
}

/** True when every part stopped cleanly. */
async function stop(): Promise<boolean> {
  const clean = await lifecycle.stop();
  forwarded.stop();
  return clean;
}

answerCalls(control, { start, health, stop });
