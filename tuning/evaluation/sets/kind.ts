import type { EntityType } from '../../../schemas/vocabulary.ts';
import type { Maker } from './values.ts';

/** What a kind of value is called and looks like. `tuned` was looked at while the detectors were written. */
export interface Kind {
  readonly entity: EntityType;
  readonly labels: { readonly tuned: readonly string[]; readonly held: readonly string[] };
  readonly make: Maker;
  /** Texts that speak of the kind, or look alike, and hold none. */
  readonly none: { readonly tuned: readonly string[]; readonly held: readonly string[] };
}
