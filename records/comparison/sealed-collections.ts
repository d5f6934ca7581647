import { META } from '#platform/state/port.ts';
import { collectionsOf } from '../erasure/collections.ts';

/** Collections of a scope whose documents have seals: all except the one that is written without the master key. */
export const sealedCollections = (scope: string): readonly string[] =>
  collectionsOf(scope)
    .map(({ name }) => name)
    .filter((name) => name !== META);
