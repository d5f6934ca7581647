import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { compiledModule } from '#platform/config/package-root.ts';
import type { EmbeddedSettings } from '#platform/config/settings.ts';
import { countForwarded } from '#platform/telemetry/metrics/forwarded-metrics.ts';
import type { ConsumerMetrics } from '#platform/telemetry/metrics/metrics.ts';
import type { Consumers } from '#platform/telemetry/readiness/readiness.ts';
import { type Caller, callOver } from '#platform/threads/calls.ts';
import { serveTasks } from '#platform/threads/shared-tasks.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import {
  CONSUMERS,
  type ConsumerName,
  type PipelineData,
  type PipelineNews,
  type PipelineStart,
  type SentHealth,
} from './pipeline-messages.ts';
import type { SharedDependencies } from './thread-dependencies.ts';

interface PipelineOptions {
  readonly epoch: number;
  readonly shared: SharedDependencies;
  readonly detectionTasks: Tasks | null;
  readonly metrics: ConsumerMetrics;
  /** Receives the lines of the thread's log. */
  readonly output: { write(line: string): void };
  /** Called with audits whose final state is stored. */
  readonly onFinal: (auditIds: readonly string[]) => void;
  /** Called when the thread ends by itself after its start. */
  readonly onDeath: (error: Error) => void;
}

interface Pipeline {
  readonly consumers: Consumers;
  /** Rejects when the thread did not stop cleanly. */
  stop(): Promise<void>;
}

/** The thread of analyzer and sink, loaded or still loading, not started. */
interface PipelineThread {
  readonly control: Caller;
  readonly news: MessagePort;
  /** Rejects when the thread ends, with the reason. */
  readonly died: Promise<never>;
  close(): Promise<void>;
}

/** Starts loading the thread's modules, which takes a second; meanwhile this thread opens the dependencies. */
export function loadPipeline(settings: EmbeddedSettings, module = 'app/pipeline-worker.ts'): PipelineThread {
  const control = new MessageChannel();
  const news = new MessageChannel();
  const data: PipelineData = { settings, control: control.port2, news: news.port2 };
  const worker = new Worker(compiledModule(module), {
    name: 'analyzer and sink',
    workerData: data,
    transferList: [control.port2, news.port2],
  });
  const died = deathOf(worker);
  // `startPipeline` rejects with it; until then it must not count as an unhandled rejection.
  died.catch(() => undefined);
  const thread = callOver(control.port1);
  const close = async (): Promise<void> => {
    thread.close();
    news.port1.close();
    await worker.terminate();
  };
  return { control: thread, news: news.port1, died, close };
}

/** Starts analyzer and sink in their thread; rejects with its error when they cannot start. */
export async function startPipeline(thread: PipelineThread, options: PipelineOptions): Promise<Pipeline> {
  const { control, news, died, close } = thread;
  const { epoch, shared } = options;
  news.on('message', (message: PipelineNews) => hear(message, options));
  let stopping = false;

  const stop = async (): Promise<void> => {
    stopping = true;
    const clean = await Promise.race([control.call<boolean>('stop'), died]);
    // Its last messages are still being delivered.
    await new Promise(setImmediate);
    await close();
    if (!clean) throw new Error('analyzer or sink did not stop cleanly; see the log');
  };
  died.catch((error: Error) => {
    if (!stopping) options.onDeath(error);
  });
  const detection = detectionPort(options.detectionTasks);
  const start: PipelineStart = { epoch, shared, detection };
  const moves = [shared.log.port, shared.state.port, ...(detection === null ? [] : [detection])];
  try {
    await Promise.race([control.call('start', [start], moves), died]);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  const health = async (name: ConsumerName) => {
    const { stopped, ...known } = await control.call<SentHealth>('health', [name]);
    return { ...known, stopped: stopped === null ? null : new Error(stopped) };
  };
  return {
    consumers: Object.fromEntries(CONSUMERS.map((name) => [name, { health: () => health(name) }])),
    stop,
  };
}

/** A port through which another thread uses the pool. */
function detectionPort(tasks: Tasks | null): MessagePort | null {
  if (tasks === null) return null;
  const channel = new MessageChannel();
  serveTasks(channel.port1, tasks);
  return channel.port2;
}

/** Rejects when the thread ends, with the reason. */
async function deathOf(worker: Worker): Promise<never> {
  let failure: Error | undefined;
  worker.on('error', (error: Error) => {
    failure = error;
  });
  const [code] = (await once(worker, 'exit')) as [number];
  throw failure ?? new Error(`it exited with code ${code}`);
}

function hear(message: PipelineNews, { output, onFinal, metrics }: PipelineOptions): void {
  if ('line' in message) output.write(message.line);
  else if ('final' in message) onFinal(message.final);
  else countForwarded(metrics, message.counted);
}
