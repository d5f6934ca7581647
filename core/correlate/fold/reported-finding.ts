import { MAX_SIGNAL_IDS } from '#schemas/correlation-bounds.ts';
import type { FoundPattern } from '../detect.ts';
import type { CorrelationSettings } from '../state/rules.ts';
import type { Kept } from './kept.ts';

/** A finding as of one entry. */
export interface ReportedFinding extends FoundPattern {
  /** When it was first reported, and when in this version: the latest acceptedAt of any signal before it, Unix ms. */
  readonly foundAt: number;
  readonly changedAt: number;
  /** The settings that applied. */
  readonly settings: CorrelationSettings;
  /** Its description before any signal was erased, and the number erased since. */
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
