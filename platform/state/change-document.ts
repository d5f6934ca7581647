import { ServiceError } from '#platform/flow/service-error.ts';
import type { Claim, DocumentRef, Documents, DocumentWrite, PendingEntry, StoredDocument } from './port.ts';

/** Each lost attempt means that another write succeeded, so only a stream of faster writers can use them all up. */
export const MAX_ATTEMPTS = 1_000;

/** Another writer was faster at every attempt. Nothing was written; the same call may succeed later. */
export class Contended extends ServiceError {
  constructor(collection: string) {
    super(`too many concurrent changes of ${collection}`);
    this.name = 'Contended';
  }
}

/** The next document, and the writes in the same atomic call. */
export interface Change<Value, Result> {
  /** Null deletes the document. */
  readonly value: Value | null;
  readonly result: Result;
  /** Ledger entries that record the change, for the document's outbox. */
  readonly entries?: readonly PendingEntry[];
  /** Other documents of the scope, each written or compared with what `decide` read. */
  readonly others?: readonly DocumentWrite[];
  readonly claims?: readonly Claim[];
}

interface Unchanged<Result> {
  readonly result: Result;
}

/** The result when nothing is written. */
export const unchanged = <Result>(result: Result): Unchanged<Result> => ({ result });

export type Decision<Value, Result> = Change<Value, Result> | Unchanged<Result>;

interface ChangeDependencies {
  readonly documents: Pick<Documents, 'get' | 'write'>;
  /** Called for each document that was written with entries. */
  readonly announce?: (ref: DocumentRef) => void;
}

/**
 * Reads a document, decides and writes, all or nothing. When another writer was faster, it decides again on the new
 * document. So concurrent changes are applied one after another, and none is lost. An error from `decide` is rethrown,
 * and then nothing is written. Rejects with `Contended` after `MAX_ATTEMPTS`.
 */
export async function changeDocument<Value, Result = void>(
  { documents, announce }: ChangeDependencies,
  { scope, collection, id }: DocumentRef,
  decide: (
    stored: StoredDocument<Value> | null,
  ) => Decision<Value, Result> | Promise<Decision<Value, Result>>,
): Promise<Result> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const stored = await documents.get<Value>({ scope, collection, id });
    const decision = await decide(stored);
    if (!('value' in decision)) return decision.result;
    const { value, entries = [], others = [], claims, result } = decision;
    const expectedVersion = stored?.version ?? 0;
    const writes = [{ collection, id, expectedVersion, value, entries }, ...others];
    const outcome = await documents.write(scope, writes, claims);
    if (outcome.ok) {
      if (announce !== undefined) for (const ref of withEntries(scope, writes)) announce(ref);
      return result;
    }
    if ('claimed' in outcome)
      throw new Error(`a claim on a document of ${collection} belongs to another record`);
  }
  throw new Contended(collection);
}

const withEntries = (scope: string, writes: readonly DocumentWrite[]): DocumentRef[] =>
  writes
    .filter(({ entries = [] }) => entries.length > 0)
    .map(({ collection, id }) => ({ scope, collection, id }));
