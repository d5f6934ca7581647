import type { MessagePort } from 'node:worker_threads';
import type { EmbeddedSettings } from '#platform/config/settings.ts';
import type { StreamHealth } from '#platform/stream/run-stream.ts';
import type { Counted } from '#platform/telemetry/metrics/forwarded-metrics.ts';
import type { startCorrelator } from '#services/correlator/main.ts';
import type { startSink } from '#services/sink/main.ts';
import type { SharedDependencies } from './thread-dependencies.ts';

/** What the thread of analyzer, sink and correlator gets at creation. */
export interface PipelineData {
  readonly settings: EmbeddedSettings;
  /** Receives calls: `start` with a `PipelineStart`, `health`, `stop`. */
  readonly control: MessagePort;
  /** Sends `PipelineNews`. */
  readonly news: MessagePort;
}

/** What it needs to start work. */
export interface PipelineStart {
  /** The log's epoch, as agreed by log, state and warehouse. */
  readonly epoch: number;
  readonly shared: SharedDependencies;
  /** To the threads that search long texts; null when there are none. */
  readonly detection: MessagePort | null;
}

/** Notifications to the main thread. */
export type PipelineNews =
  /** A line of the thread's log. */
  | { readonly line: string }
  /** Audits whose final state is stored. */
  | { readonly final: readonly string[] }
  | { readonly counted: readonly Counted[] };

/** A stopped stream's error stays in its thread, which has logged it. */
export type SentHealth = Omit<StreamHealth, 'stopped'> & { readonly stopped: string | null };

/** Consumers of the thread, under the services' names for them. */
export type ConsumerName =
  | 'analyzer'
  | keyof Awaited<ReturnType<typeof startSink>>
  | keyof Awaited<ReturnType<typeof startCorrelator>>;

const NAMES: Readonly<Record<ConsumerName, true>> = {
  analyzer: true,
  sink: true,
  findings: true,
  policies: true,
  patterns: true,
};
export const CONSUMERS = Object.keys(NAMES) as readonly ConsumerName[];
