import type { Subject } from '#core/detect/find/text-model/text-model.ts';

/** A text to learn from. `labels`: what it is known to be; a missing subject is unknown. */
export interface LabelledText {
  readonly text: string;
  readonly family: string;
  /** Where it comes from, if that is less than its family. */
  readonly source?: string | undefined;
  readonly labels: Partial<Record<Subject, boolean>>;
}
