import type { Keyring } from '#platform/sealing/port.ts';
import type { State } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { type ChangedDocument, changedOfCustomer } from '#records/comparison/changed-documents.ts';
import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';

interface DocumentDependencies {
  readonly state: Pick<State, 'documents'>;
  readonly keyring: Pick<Keyring, 'documentSeals'>;
  readonly warehouse: Warehouse;
}

/** Maximum number of faults kept: an answer names no more. */
const FAULTS_KEPT = 100;

/** Compares all documents of a customer. `treeSize`: the index reported for documents without an entry. */
export async function documentFaults(
  { state: { documents }, keyring, warehouse }: DocumentDependencies,
  customerId: string,
  treeSize: number,
): Promise<{ readonly checkedDocuments: number; readonly faults: readonly ChainFault[] }> {
  const dependencies = { documents, seals: keyring.documentSeals, warehouse };
  const faults: ChainFault[] = [];
  let checkedDocuments = 0;
  for await (const { compared, changed } of changedOfCustomer(dependencies, customerId)) {
    checkedDocuments += compared;
    faults.push(...changed.slice(0, FAULTS_KEPT - faults.length).map((one) => faultOf(one, treeSize)));
  }
  return { checkedDocuments, faults };
}

const faultOf = ({ ref, name, entry }: ChangedDocument, treeSize: number): ChainFault => ({
  index: entry?.index ?? treeSize,
  id: entry?.id ?? `${name} ${ref.id}`,
  reason: 'DOCUMENT_CHANGED',
});
