import type { DocumentRef, StoredDocument } from '#platform/state/port.ts';
import type { Harness } from './harness.ts';

/** How a changed document is sealed: as before, not at all, or, as nobody without the master key can, anew. */
type Seal = 'KEPT' | 'NONE' | 'FORGED';

/** Replaces a document past the service. Its version stays. Returns what undoes it. */
export async function changeDocument<Value>(
  { unsealedState: { documents }, dependencies }: Harness,
  ref: DocumentRef,
  change: (value: Value) => unknown,
  seal: Seal = 'KEPT',
): Promise<() => Promise<void>> {
  const stored = await documents.get<Value>(ref);
  if (stored === null) throw new Error(`there is no ${ref.collection} ${ref.id}`);
  const put = async ({ version, value, seal: text }: Omit<StoredDocument, 'id'>): Promise<void> => {
    const write = { collection: ref.collection, id: ref.id };
    // Its versions are counted from 1 again.
    const sealed = text === undefined ? {} : { seal: text };
    const again = Array.from({ length: version }, () => ({ ...write, value, ...sealed }));
    await documents.write(ref.scope, [{ ...write, value: null }, ...again]);
  };
  const { version } = stored;
  const value = change(structuredClone(stored.value));
  const kept = stored.seal === undefined ? {} : { seal: stored.seal };
  const seals = {
    KEPT: kept,
    NONE: {},
    FORGED: { seal: dependencies.keyring.documentSeals.seal(ref, version, value) },
  };
  await put({ version, value, ...seals[seal] });
  return () => put(stored);
}
