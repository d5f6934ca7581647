import type { CanonicalObject } from '#core/evidence/canonical-json.ts';
import type { CutMedia } from './cut-media.ts';

/** What a body was parsed to, with the files that were cut out of its texts. */
export interface SentJson {
  readonly value: unknown;
  readonly media: CutMedia | null;
}

/** Canonical JSON with a mark in place of each file that was cut out of the body's texts. */
export interface SentObject extends CanonicalObject {
  readonly media: CutMedia | null;
}
