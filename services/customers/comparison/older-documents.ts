import { CUSTOMERS, type Documents } from '#platform/state/port.ts';
import type { FoldedVersion } from '#platform/warehouse/queries/document-versions.ts';
import { LEDGERED_DOCUMENTS, type LedgeredDocuments } from '../ledgered-documents.ts';
import type { CustomerRecord } from '../records.ts';
import { type LiftDependencies, lostRef, type OlderDocument } from './older-document.ts';

/** Documents read at a time. */
const READ_AT_ONCE = 500;

interface CompareDependencies {
  readonly documents: Documents;
  /** `foldedVersions` of the warehouse. */
  readonly folded: (sort: LedgeredDocuments) => AsyncIterable<FoldedVersion[]>;
}

export interface FoundOlder extends OlderDocument {
  readonly sort: LedgeredDocuments;
}

/**
 * Documents whose highest version in the ledger is above the state's: the state was restored from an older backup, or
 * lost writes in a fail-over. The next version would then get an id that the ledger has already, and what had ended
 * since, such as a revoked key, would work again. The ledger is read first, and a version reaches it after the state,
 * so a state that is up to date is never reported, even while everything runs.
 */
export async function* olderDocuments(dependencies: CompareDependencies): AsyncGenerator<FoundOlder> {
  for (const sort of LEDGERED_DOCUMENTS) {
    for await (const chunk of dependencies.folded(sort)) {
      for (let from = 0; from < chunk.length; from += READ_AT_ONCE) {
        const some = chunk.slice(from, from + READ_AT_ONCE);
        const found = await Promise.all(some.map((one) => compare(dependencies.documents, sort, one)));
        yield* found.filter((one) => one !== null);
      }
    }
  }
}

async function compare(
  documents: Documents,
  sort: LedgeredDocuments,
  { customerId, document: id, version: ledgerVersion }: FoldedVersion,
): Promise<FoundOlder | null> {
  const stored = await documents.get(sort.refOf(customerId, id));
  const stateVersion = stored === null ? 0 : sort.versionOf(stored);
  if (stateVersion >= ledgerVersion || (await isGone(documents, sort, customerId, id, ledgerVersion)))
    return null;
  return { sort, customerId, id, ledgerVersion, stateVersion };
}

/** Deleted on purpose, with its customer, or given up by an operator. */
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
 * Accepts that the state is older: each existing document gets a version above the ledger's; for one that does not
 * exist, the version that was given up is recorded. Returns how many of each. May be repeated. `onFound`: told of each
 * before it is accepted; a list made beforehand may lack what a service that is being stopped stores last.
 */
export async function acceptOlderState(
  dependencies: CompareDependencies & LiftDependencies,
  onFound: (older: FoundOlder) => void = () => undefined,
): Promise<{ lifted: number; givenUp: number }> {
  const counts = { lifted: 0, givenUp: 0 };
  for await (const older of olderDocuments(dependencies)) {
    onFound(older);
    const { sort, customerId, id, ledgerVersion } = older;
    if ((await dependencies.documents.get(sort.refOf(customerId, id))) === null) {
      const { scope, ...note } = lostOf(sort, customerId, id);
      await dependencies.documents.write(scope, [{ ...note, value: ledgerVersion }]);
      counts.givenUp += 1;
    } else {
      await sort.lift(dependencies, older);
      counts.lifted += 1;
    }
  }
  return counts;
}
