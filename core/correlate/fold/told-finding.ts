import { MAX_SIGNAL_IDS } from '#schemas/correlation-bounds.ts';
import type { FoundPattern } from '../detect.ts';
import type { CorrelationSettings } from '../state/rules.ts';
import type { Kept } from './kept.ts';

/** A finding as an entry left it. */
export interface ReportedFinding extends FoundPattern {
  /** When it was first told, and when so: the latest time at which a signal before was accepted, Unix ms. */
  readonly foundAt: number;
  readonly changedAt: number;
  /** By which it was judged. */
  readonly settings: CorrelationSettings;
  /** Its sentence before any signal was erased, and how many were since. */
  readonly sentence: string;
  readonly erased: number;
}

export const reportedFinding = (
  { finding, evidence, foundAt, description, erased }: Kept,
  changedAt: number,
  settings: CorrelationSettings,
): ReportedFinding => ({
  finding,
  members: evidence.members.slice(0, MAX_SIGNAL_IDS),
  foundAt,
  changedAt,
  settings,
  sentence: description,
  erased,
});
