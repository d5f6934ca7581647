import { type Documents, META, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { RaiseDependencies } from '../changes/older-document.ts';
import { type ChangedDocument, comparedWithLedger, typeOf } from './changed-documents.ts';
import { comparedState, refuseChangedState, type SealedStores, StateChanged } from './changed-state.ts';

/** Document: when all documents of the state first had seals, ISO 8601. */
const SEALED = { scope: SYSTEM_SCOPE, collection: META, id: 'documentsSealed' } as const;

/**
 * Runs when a service that serves the state starts. A state without seals, written by an earlier release, is compared
 * with the ledger alone and gets seals; any other is refused with `StateChanged` if a document was changed.
 */
export async function checkSeals(
  stores: SealedStores,
  { logger, now }: { readonly logger: Pick<Logger, 'warn'>; readonly now: () => number },
): Promise<void> {
  const { documents } = stores.state;
  if ((await documents.get(SEALED)) !== null) {
    await refuseChangedState(stores);
    return;
  }
  let sealed = 0;
  for await (const { changed } of comparedState(stores)) {
    const others = changed.filter(({ by }) => by !== 'NO_SEAL');
    if (others.length > 0) throw new StateChanged(others);
    for (const { ref } of changed) sealed += Number(await seal(stores, ref));
  }
  if (sealed > 0) logger.warn({ documents: sealed }, 'sealed unsealed state documents');
  await writeMark(documents, now());
}

/** Seals a document unchanged. False: deleted, or written in the meantime, which also seals it. */
async function seal(
  { state: { documents }, seals }: SealedStores,
  ref: ChangedDocument['ref'],
): Promise<boolean> {
  const stored = await documents.get(ref);
  if (stored === null) return false;
  const { version, value } = stored;
  const { collection, id } = ref;
  const sealed = { value, unchanged: true, seal: seals.seal(ref, version, value) } as const;
  return (await documents.write(ref.scope, [{ collection, id, expectedVersion: version, ...sealed }])).ok;
}

/**
 * Accepts changed documents as they are: those that differ from the ledger get new versions, whose entries say that no
 * user made them, and the others get seals. `onFound`: called for each. Returns the counts. May be repeated.
 */
export async function acceptChangedDocuments(
  stores: SealedStores & RaiseDependencies,
  onFound: (changed: ChangedDocument) => void = () => undefined,
): Promise<{ readonly lifted: number; readonly sealed: number }> {
  const counts = { lifted: 0, sealed: 0 };
  for await (const { changed, entries } of comparedWithLedger(stores, null)) {
    for (const one of changed) {
      const entry = entries.find(
        ({ id, customerId }) => id === one.entry?.id && customerId === one.ref.scope,
      );
      const stored = await stores.documents.get(one.ref);
      // A document missing in the state is handled by accepting an older state.
      if (entry === undefined || stored === null) continue;
      onFound(one);
      const { customerId, document: id, version: ledgerVersion } = entry;
      const type = typeOf(entry);
      const stateVersion = type.versionOf(stored);
      await type.raiseVersion(stores, { customerId, id, ledgerVersion, stateVersion });
      counts.lifted += 1;
    }
  }
  for await (const { changed } of comparedState(stores)) {
    for (const one of changed.filter(({ by }) => by !== 'CONTENT')) {
      onFound(one);
      counts.sealed += Number(await seal(stores, one.ref));
    }
  }
  await writeMark(stores.documents, stores.now());
  return counts;
}

const writeMark = (documents: Documents, now: number) =>
  documents.write(SEALED.scope, [{ ...SEALED, value: { since: new Date(now).toISOString() } }]);
