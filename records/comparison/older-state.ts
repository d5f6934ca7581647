import type { EventLog } from '#platform/event-log/port.ts';
import type { State } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { foldedVersions } from '#platform/warehouse/queries/document-versions.ts';
import { type FoundOlder, olderDocuments } from './older-documents.ts';
import { unfoldedVersions } from './unfolded-versions.ts';

/** Maximum number of documents named in a message; there may be thousands. */
const NAMED = 10;

/** The state is older than the ledger. Continuing would change the past in the state and lose it in the ledger. */
export class StateOlder extends Error {
  constructor(found: readonly FoundOlder[]) {
    const named = found
      .slice(0, NAMED)
      .map(
        ({ sort, customerId, id, ledgerVersion, stateVersion }) =>
          `${sort.refOf(customerId, id).id === customerId ? sort.name : `${sort.name} ${id}`} of customer ${customerId} (ledger ${ledgerVersion}, state ${stateVersion})`,
      );
    const more = found.length > NAMED ? ' and more' : '';
    super(
      `The state is older than the ledger, which has newer versions of: ${named.join(', ')}${more}. It was restored from an old backup, or lost writes in a fail-over. Nothing was changed. Stop all services, then restore a newer copy of the state; or, when what was changed since may be given up, run "cas migrate --accept-older-state": sandboxes get new versions as the state has them, API keys that were changed since stay revoked, customers who were erased since are erased again, and all sessions end of customers who ended one since.`,
    );
    this.name = 'StateOlder';
  }
}

export interface ComparedStores {
  readonly state: Pick<State, 'documents'>;
  readonly warehouse: Warehouse;
  readonly log: Pick<EventLog, 'bounds' | 'readFrom'>;
}

/** The stores that `olderDocuments` compares. `signal`: fires when the result is no longer needed. */
export const comparedStores = ({ state, warehouse, log }: ComparedStores, signal?: AbortSignal) => ({
  documents: state.documents,
  unfolded: () => unfoldedVersions({ log, warehouse }, signal),
  async *folded(sort: { readonly kind: FoundOlder['sort']['kind']; readonly entryId: string }) {
    signal?.throwIfAborted();
    for await (const chunk of foldedVersions(warehouse, sort.kind, sort.entryId)) {
      signal?.throwIfAborted();
      yield chunk;
    }
  },
});

/** Compares all documents with the ledger. Rejects with `StateOlder`, or with the signal's reason when it fires. */
export async function refuseOlderState(stores: ComparedStores, signal?: AbortSignal): Promise<void> {
  const found: FoundOlder[] = [];
  for await (const older of olderDocuments(comparedStores(stores, signal))) {
    found.push(older);
    if (found.length > NAMED) break;
  }
  if (found.length > 0) throw new StateOlder(found);
}
