import type { EntityType } from '#schemas/vocabulary.ts';
import type { Maker } from './values.ts';

/** A kind of value, with its labels and formats. `tuned` was used while the detectors were written. */
export interface Kind {
  readonly entity: EntityType;
  readonly labels: { readonly tuned: readonly string[]; readonly held: readonly string[] };
  readonly make: Maker;
  /** Texts about the kind, or similar ones, without a value. */
  readonly none: { readonly tuned: readonly string[]; readonly held: readonly string[] };
}
