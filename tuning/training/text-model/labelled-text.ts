import type { Subject } from '#core/detect/find/text-model/text-model.ts';

/** A text to learn from. `labels`: its known properties; a missing subject is unknown. */
export interface LabelledText {
  readonly text: string;
  readonly family: string;
  /** Its source, if that is narrower than its family. */
  readonly source?: string | undefined;
  readonly labels: Partial<Record<Subject, boolean>>;
}
