import { Counter, Histogram, type Registry } from 'prom-client';

/** Processing stages of an audit after its 202. `detect:*` are stages of detection, `insert:*` tables. */
export type Stage =
  | 'open'
  | `detect:${string}`
  | 'lists'
  | 'long'
  | 'fingerprint'
  | 'assess'
  | 'seal'
  | 'append'
  | 'fold'
  | 'publish'
  | `insert:${string}`;

/**
 * Duration of stages. A stage processes a list of audits, so the time per audit is its duration divided by their
 * number.
 */
export interface StageMetrics {
  ended(stage: Stage, audits: number, durationMs: number): void;
}

/** From a tenth of a millisecond to ten seconds, in seconds. */
const DURATIONS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export function stageMetrics(registers: Registry[]): StageMetrics {
  const durations = new Histogram({
    name: 'cas_stage_duration_seconds',
    help: 'Duration of a pipeline stage over a batch of audits',
    labelNames: ['stage'],
    buckets: DURATIONS,
    registers,
  });
  const counts = new Counter({
    name: 'cas_stage_audits_total',
    help: 'Audits processed by a pipeline stage; divide its duration by this for the time per audit',
    labelNames: ['stage'],
    registers,
  });
  return {
    ended: (stage, audits, durationMs) => {
      durations.observe({ stage }, durationMs / 1000);
      counts.inc({ stage }, audits);
    },
  };
}
