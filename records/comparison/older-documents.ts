import { CUSTOMERS, type Documents, type StoredDocument } from '#platform/state/port.ts';
import type { FoldedVersion } from '#platform/warehouse/queries/document-versions.ts';
import { lostRef, type OlderDocument, type RaiseDependencies } from '../changes/older-document.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { LEDGERED_DOCUMENTS, type LedgeredDocuments } from './ledgered-documents.ts';
import type { UnfoldedVersions } from './unfolded-versions.ts';

/** Documents read at a time. */
const READ_AT_ONCE = 500;

interface CompareDependencies {
  readonly documents: Documents;
  /** `foldedVersions` of the warehouse. */
  readonly folded: (sort: LedgeredDocuments) => AsyncIterable<readonly FoldedVersion[]>;
  /** `unfoldedVersions` of the log. */
  readonly unfolded: () => AsyncIterable<UnfoldedVersions>;
}

export interface FoundOlder extends OlderDocument {
  readonly sort: LedgeredDocuments;
}

/**
 * Documents whose highest version in the ledger is above the state's: the state was restored from an older backup, or
 * lost writes in a fail-over. The next version would then reuse an id from the ledger, and anything ended since, such
 * as a revoked key, would work again. The ledger is read first, and a version reaches it after the state, so an
 * up-to-date state is never reported, even while services run. A document may be reported twice: for folded entries and
 * for entries not folded yet.
 */
export async function* olderDocuments(dependencies: CompareDependencies): AsyncGenerator<FoundOlder> {
  const { documents, folded, unfolded } = dependencies;
  for (const sort of LEDGERED_DOCUMENTS) {
    for await (const chunk of folded(sort)) yield* olderOf(documents, sort, chunk);
  }
  for await (const { sort, versions } of unfolded()) yield* olderOf(documents, sort, versions);
}

async function* olderOf(
  documents: Documents,
  sort: LedgeredDocuments,
  versions: readonly FoldedVersion[],
): AsyncGenerator<FoundOlder> {
  for (let from = 0; from < versions.length; from += READ_AT_ONCE) {
    const some = versions.slice(from, from + READ_AT_ONCE);
    const found = await Promise.all(some.map((one) => compare(documents, sort, one)));
    yield* found.filter((one) => one !== null);
  }
}

/** `stored`: the document, if it exists. null: not older. */
export async function compareVersion(
  documents: Documents,
  sort: LedgeredDocuments,
  { customerId, document: id, version: ledgerVersion }: FoldedVersion,
  stored: StoredDocument | null,
): Promise<FoundOlder | null> {
  const stateVersion = stored === null ? 0 : sort.versionOf(stored);
  if (stateVersion >= ledgerVersion || (await isGone(documents, sort, customerId, id, ledgerVersion)))
    return null;
  return { sort, customerId, id, ledgerVersion, stateVersion };
}

const compare = async (documents: Documents, sort: LedgeredDocuments, one: FoldedVersion) =>
  compareVersion(documents, sort, one, await documents.get(sort.refOf(one.customerId, one.document)));

/** Deleted on purpose, erased with its customer, or given up by an operator. */
async function isGone(
  documents: Documents,
  sort: LedgeredDocuments,
  customerId: string,
  id: string,
  version: number,
): Promise<boolean> {
  const [lost, customer] = await Promise.all([
    documents.get<number>(lostOf(sort, customerId, id)),
    documents.get<CustomerRecord>({ scope: customerId, collection: CUSTOMERS, id: customerId }),
  ]);
  return (lost?.value ?? 0) >= version || customer?.value.erasure !== undefined;
}

const lostOf = (sort: LedgeredDocuments, customerId: string, id: string) =>
  lostRef(sort.kind, sort.refOf(customerId, id), id);

/**
 * Accepts that the state is older: each existing document gets a version above the ledger's; for a missing one, the
 * version given up is recorded. Returns the number of each. May be repeated. `onFound`: called for each before it is
 * accepted; a list made beforehand may lack what a stopping service stores last. Finds all before accepting any: a
 * version must be above the highest one, wherever that is.
 */
export async function acceptOlderState(
  dependencies: CompareDependencies & RaiseDependencies,
  onFound: (older: FoundOlder) => void = () => undefined,
): Promise<{ lifted: number; givenUp: number }> {
  const counts = { lifted: 0, givenUp: 0 };
  const highest = new Map<string, FoundOlder>();
  for await (const older of olderDocuments(dependencies)) {
    const key = `${older.sort.name} ${older.customerId} ${older.id}`;
    if (older.ledgerVersion > (highest.get(key)?.ledgerVersion ?? 0)) highest.set(key, older);
  }
  for (const older of highest.values()) {
    onFound(older);
    const { sort, customerId, id, ledgerVersion } = older;
    if ((await dependencies.documents.get(sort.refOf(customerId, id))) === null) {
      const { scope, ...note } = lostOf(sort, customerId, id);
      await dependencies.documents.write(scope, [{ ...note, value: ledgerVersion }]);
      counts.givenUp += 1;
    } else {
      await sort.raiseVersion(dependencies, older);
      counts.lifted += 1;
    }
  }
  return counts;
}
