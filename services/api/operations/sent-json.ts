import type { CanonicalObject } from '#core/evidence/canonical-json.ts';
import type { CutMedia } from './cut-media.ts';

/** A parsed body, with the files that were cut out of its texts. */
export interface SentJson {
  readonly value: unknown;
  readonly media: CutMedia | null;
}

/** Canonical JSON with a mark for each file that was cut out of the body's texts. */
export interface SentObject extends CanonicalObject {
  readonly media: CutMedia | null;
}
