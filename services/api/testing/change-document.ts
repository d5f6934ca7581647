import type { DocumentRef, StoredDocument } from '#platform/state/port.ts';
import type { Harness } from './harness.ts';

/** How a changed document is sealed: unchanged, not at all, or with a new seal, which only the master key can make. */
type Seal = 'KEPT' | 'NONE' | 'FORGED';

/** Replaces a document directly, keeping its version. Returns a function that undoes it. */
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
    // Writes again from version 1 up to the same version.
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
