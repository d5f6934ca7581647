import type { MessagePort } from 'node:worker_threads';
import type { Counted } from '../../platform/runtime/forwarded-metrics.ts';
import type { Settings } from '../../platform/runtime/settings.ts';
import type { SharedParts } from '../../platform/runtime/thread-parts.ts';
import type { StreamHealth } from '../../platform/stream/run-stream.ts';

/** What the thread of analyzer and sink is started with. */
export interface PipelineStart {
  readonly settings: Settings;
  /** Of the log, as all parts agreed on it. */
  readonly epoch: number;
  readonly shared: SharedParts;
  /** Here it is called: `start`, `health`, `stop`. */
  readonly control: MessagePort;
  /** Here it tells what it has to tell. */
  readonly news: MessagePort;
}

/** What it tells the main thread. */
export type PipelineNews =
  /** A line of its log. */
  | { readonly line: string }
  /** Audits whose final state is stored. */
  | { readonly final: readonly string[] }
  | { readonly counted: readonly Counted[] };

/** The error of a stream that stopped stays in its thread, which has logged it. */
export type SentHealth = Omit<StreamHealth, 'stopped'> & { readonly stopped: string | null };

export const CONSUMERS = ['analyzer', 'sink'] as const;
export type ConsumerName = (typeof CONSUMERS)[number];
