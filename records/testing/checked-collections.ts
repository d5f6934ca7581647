import type { State } from '#platform/state/port.ts';
import { collectionsOf } from '../erasure/collections.ts';

/** The same state, but refuses undeclared collections: erasures and seals would miss them. */
export function checkedCollections(state: State): State {
  const { documents } = state;
  const write: typeof documents.write = async (scope, writes, claims) => {
    const declared = collectionsOf(scope);
    for (const { collection } of writes)
      if (!declared.some(({ name }) => name === collection))
        throw new Error(`the collection ${collection} is missing in records/erasure/collections.ts`);
    return documents.write(scope, writes, claims);
  };
  const checked = new Proxy(documents, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name)),
  });
  return { ...state, documents: checked };
}
