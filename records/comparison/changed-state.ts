import type { DocumentSeals } from '#platform/sealing/document-seals.ts';
import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import { customerIds } from '../customers/customers.ts';
import {
  type ChangedDocument,
  type CompareChangedDependencies,
  type ComparedDocuments,
  checkedSeals,
  comparedWithLedger,
} from './changed-documents.ts';
import type { ComparedStores } from './older-state.ts';

/** Maximum number of documents named in a message; there may be thousands. */
const NAMED = 10;
/** Customers whose seals are checked concurrently. */
const CUSTOMERS_AT_ONCE = 8;

/** Documents of the state were changed outside the service, so their content cannot be trusted. */
export class StateChanged extends Error {
  /** Description of the first one, for readiness. */
  readonly first: string;

  constructor(found: readonly ChangedDocument[]) {
    const named = found.slice(0, NAMED).map(described);
    const more = found.length > NAMED ? ' and more' : '';
    const isUnsealed = found.every(({ by }) => by === 'NO_SEAL');
    const cause = isUnsealed
      ? 'They were written by an older release, or outside the service'
      : 'The state was changed outside the service, or is damaged';
    super(
      `State documents differ from what the service wrote: ${named.join(', ')}${more}. ${cause}. Nothing was changed. Stop all services, then restore a copy of the state from before the change; or, when the documents may stay as they are, run "cas migrate --accept-changed-documents", which lists them all: those that differ from the ledger get new versions with entries that say so, and API keys and auditors among them are revoked.`,
    );
    this.name = 'StateChanged';
    this.first = named[0] ?? '';
  }
}

const WORDS = {
  CONTENT: 'differs from the ledger',
  SEAL: 'does not match its seal',
  NO_SEAL: 'has no seal',
} as const;

/** Name, id, owner and fault; no content. */
export function described({ ref, name, entry, by }: ChangedDocument): string {
  const owner = ref.scope === SYSTEM_SCOPE ? 'the system' : `customer ${ref.scope}`;
  const own = ref.id === ref.scope ? name : `${name} ${ref.id}`;
  const at = entry === null ? '' : `, entry ${entry.index}`;
  return `${own} of ${owner} (${WORDS[by]}${at})`;
}

export interface SealedStores extends ComparedStores {
  readonly seals: DocumentSeals;
}

/**
 * Compares all documents of the state with the ledger and with their seals. `signal`: fires when the result is no longer
 * needed.
 */
export async function* comparedState(
  { state: { documents }, warehouse, seals }: SealedStores,
  signal?: AbortSignal,
): AsyncGenerator<ComparedDocuments> {
  const dependencies: CompareChangedDependencies = { documents, warehouse, seals };
  // Also finds customers that were removed from the index.
  const scopes = new Set<string>([SYSTEM_SCOPE, ...(await customerIds(documents))]);
  for await (const { entries, changed } of comparedWithLedger(dependencies, null)) {
    signal?.throwIfAborted();
    for (const { customerId } of entries) scopes.add(customerId);
    yield { compared: 0, changed };
  }
  const all = [...scopes];
  for (let from = 0; from < all.length; from += CUSTOMERS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = all.slice(from, from + CUSTOMERS_AT_ONCE);
    yield* await Promise.all(some.map((scope) => sealsOf(dependencies, scope)));
  }
}

async function sealsOf(dependencies: CompareChangedDependencies, scope: string): Promise<ComparedDocuments> {
  let compared = 0;
  const changed: ChangedDocument[] = [];
  for await (const some of checkedSeals(dependencies, scope)) {
    compared += some.compared;
    changed.push(...some.changed);
  }
  return { compared, changed };
}

/** The first few changed documents, each once, and their total number. */
async function firstChanged(
  all: AsyncIterable<ComparedDocuments>,
): Promise<{ readonly compared: number; readonly changed: readonly ChangedDocument[] }> {
  const changed = new Map<string, ChangedDocument>();
  let compared = 0;
  for await (const some of all) {
    compared += some.compared;
    for (const one of some.changed) {
      const path = JSON.stringify(one.ref);
      if (!changed.has(path)) changed.set(path, one);
    }
    if (changed.size > NAMED) break;
  }
  return { compared, changed: [...changed.values()] };
}

/**
 * Compares the whole state and resolves to the number of documents. Rejects with `StateChanged`, or with the signal's
 * reason when it fires.
 */
export async function refuseChangedState(stores: SealedStores, signal?: AbortSignal): Promise<number> {
  const { compared, changed } = await firstChanged(comparedState(stores, signal));
  if (changed.length > 0) throw new StateChanged(changed);
  return compared;
}
