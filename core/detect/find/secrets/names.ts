import type { EntityType } from '#schemas/vocabulary.ts';
import names from '../lists/secret-names.json' with { type: 'json' };

const BY_KIND: Readonly<Partial<Record<EntityType, readonly string[]>>> = names;

/** Words in the name of a setting or in a sentence, with the kind of value that follows them. */
export const SECRET_NAMES: readonly (readonly [string, EntityType])[] = (
  Object.entries(BY_KIND) as [EntityType, readonly string[]][]
).flatMap(([kind, list]) => list.map((name) => [name, kind] as const));
