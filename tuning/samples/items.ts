import type { DataFolder } from './data-folder.ts';

/** One line of the table of targets. */
export interface EvaluatedItem {
  /** Display name of what is scored: "PERSON on pii/synth-v2". */
  readonly item: string;
  /** F1, recall, share flagged, ... */
  readonly figure: string;
  /** A share, 0 to 1, or milliseconds if `figure` says so. */
  readonly value: number;
  /** The minimum. If this and the goal are null, the line is only informative. */
  readonly first: number | null;
  /** The goal. */
  readonly goal: number | null;
  readonly better: 'HIGHER' | 'LOWER';
  /** How it was measured: set, number of cases, what was held out of training. */
  readonly how: string;
}

/**
 * A part of the evaluation. `data` is null if there is no folder with tuning data: parts that score made-up sets still
 * run, and the others return no line.
 */
export type EvaluationPart = (data: DataFolder | null) => readonly EvaluatedItem[];
