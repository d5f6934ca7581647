import { META, type State } from '#platform/state/port.ts';
import { sealedCollections } from '#records/comparison/sealed-collections.ts';

/** The same state, which refuses collections that no comparison reads: a new one has to be added there. */
export function checkedCollections(state: State): State {
  const { documents } = state;
  const write: typeof documents.write = async (scope, writes, claims) => {
    for (const { collection } of writes)
      if (collection !== META && !sealedCollections(scope).includes(collection))
        throw new Error(`the collection ${collection} is missing in sealed-collections.ts`);
    return documents.write(scope, writes, claims);
  };
  const checked = new Proxy(documents, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name)),
  });
  return { ...state, documents: checked };
}
