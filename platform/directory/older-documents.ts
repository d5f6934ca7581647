import { CUSTOMERS, type Documents } from '../state/port.ts';
import type { FoldedVersion } from '../warehouse/queries/document-versions.ts';
import {
  LEDGERED_DOCUMENTS,
  type LedgeredDocuments,
  type LiftParts,
  type OlderDocument,
} from './ledgered-documents.ts';
import { type CustomerRecord, LOST_DOCUMENTS } from './records.ts';

/** Documents that are read at a time. */
const READ_AT_ONCE = 500;

interface CompareParts {
  readonly documents: Documents;
  /** `foldedVersions` of the warehouse. */
  readonly folded: (sort: LedgeredDocuments) => AsyncIterable<FoldedVersion[]>;
}

export interface FoundOlder extends OlderDocument {
  readonly sort: LedgeredDocuments;
}

/**
 * Documents whose highest version in the ledger is above the state's: the state was restored from an older backup, or
 * lost writes in a fail-over. The next version would then be made under a name that the ledger has already, and what had
 * ended since, as a key that was revoked, works again. The ledger is read first, and a version reaches it after the state
 * has it, so a state that is as new as it should be is never found here, also while everything runs.
 */
export async function* olderDocuments(parts: CompareParts): AsyncGenerator<FoundOlder> {
  for (const sort of LEDGERED_DOCUMENTS) {
    for await (const chunk of parts.folded(sort)) {
      for (let from = 0; from < chunk.length; from += READ_AT_ONCE) {
        const some = chunk.slice(from, from + READ_AT_ONCE);
        const found = await Promise.all(some.map((one) => compare(parts.documents, sort, one)));
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
    documents.get<number>(lostRef(sort, customerId, id)),
    documents.get<CustomerRecord>({ scope: customerId, collection: CUSTOMERS, id: customerId }),
  ]);
  return (lost?.value ?? 0) >= version || customer?.value.erasure !== undefined;
}

const lostRef = (sort: LedgeredDocuments, customerId: string, id: string) => {
  const { collection } = sort.refOf(customerId, id);
  return { scope: customerId, collection: LOST_DOCUMENTS, id: `${sort.kind} ${collection} ${id}` };
};

/**
 * Accepts that the state is older: each document that is there gets a version above the ledger's, and of one that is not
 * there the version is noted that was given up. Returns how many of each. May be repeated.
 */
export async function acceptOlderState(
  parts: CompareParts & LiftParts,
): Promise<{ lifted: number; givenUp: number }> {
  const counts = { lifted: 0, givenUp: 0 };
  for await (const older of olderDocuments(parts)) {
    const { sort, customerId, id, ledgerVersion } = older;
    if ((await parts.documents.get(sort.refOf(customerId, id))) === null) {
      const { scope, ...note } = lostRef(sort, customerId, id);
      await parts.documents.write(scope, [{ ...note, value: ledgerVersion }]);
      counts.givenUp += 1;
    } else {
      await sort.lift(parts, older);
      counts.lifted += 1;
    }
  }
  return counts;
}
