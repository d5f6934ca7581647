import { ledgerEntryName } from '#platform/codec/ledger-entry-name.ts';
import { type EventLog, LogGap, type StoredRecord } from '#platform/event-log/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { FoldedVersion } from '#platform/warehouse/queries/document-versions.ts';
import { storedPositions } from '#platform/warehouse/queries/positions.ts';
import { LEDGER } from '#schemas/topics.ts';
import { LEDGERED_DOCUMENTS, type LedgeredDocuments } from './ledgered-documents.ts';

/** Documents kept in memory at a time. */
const MAX_DOCUMENTS = 10_000;

interface UnfoldedStores {
  readonly log: Pick<EventLog, 'bounds' | 'readFrom'>;
  readonly warehouse: Warehouse;
}

/** Versions of one type of document. */
export interface UnfoldedVersions {
  readonly sort: LedgeredDocuments;
  readonly versions: readonly FoldedVersion[];
}

const SORTS = LEDGERED_DOCUMENTS.map((sort) => ({ sort, pattern: new RegExp(sort.entryId) }));
/** Most entries are of other kinds. */
const KINDS: ReadonlySet<string> = new Set(LEDGERED_DOCUMENTS.map(({ kind }) => kind));

/**
 * Versions of documents in log entries that no sink has folded yet. Without them a state as old as the warehouse would
 * look up to date until the sinks have caught up. Nothing is decrypted: only kinds and ids are read. A document may
 * occur several times. `signal`: fires when the result is no longer needed.
 */
export async function* unfoldedVersions(
  { log, warehouse }: UnfoldedStores,
  signal?: AbortSignal,
): AsyncGenerator<UnfoldedVersions> {
  const positions = await storedPositions(warehouse, LEDGER.name);
  let highest = new HighestVersions();
  for (let partition = 0; partition < LEDGER.partitions; partition += 1) {
    const { start, end } = await log.bounds(LEDGER.name, partition);
    const position = positions.find((one) => one.partition === partition);
    const from = Math.max(position?.nextOffset ?? start, start);
    for await (const records of recordsBetween(log, partition, from, end)) {
      signal?.throwIfAborted();
      records.forEach(highest.add);
      if (highest.size < MAX_DOCUMENTS) continue;
      yield* highest.versions();
      highest = new HighestVersions();
    }
  }
  yield* highest.versions();
}

/** Unreadable records are skipped: the sink stops there, and reports it. */
async function* recordsBetween(
  log: UnfoldedStores['log'],
  partition: number,
  from: number,
  end: number,
): AsyncGenerator<readonly StoredRecord[]> {
  let next = from;
  while (next < end) {
    try {
      const records = await log.readFrom(LEDGER.name, partition, next);
      yield records;
      next = (records.at(-1)?.offset ?? end) + 1;
    } catch (error) {
      if (!(error instanceof LogGap)) throw error;
      next = error.untilOffset ?? end;
    }
    await new Promise(setImmediate);
  }
}

/** The highest version of each document. */
class HighestVersions {
  readonly #held = new Map<string, { readonly sort: LedgeredDocuments; readonly version: FoldedVersion }>();

  get size(): number {
    return this.#held.size;
  }

  readonly add = ({ key: customerId, value }: StoredRecord): void => {
    const name = ledgerEntryName(value);
    if (name === null || !KINDS.has(name.kind)) return;
    for (const { sort, pattern } of SORTS) {
      const [, document, digits] = sort.kind === name.kind ? (pattern.exec(name.id) ?? []) : [];
      if (document === undefined) continue;
      const key = `${sort.name} ${customerId} ${document}`;
      const version = Math.max(Number(digits) || 0, 1);
      const before = this.#held.get(key)?.version.version ?? 0;
      if (version > before) this.#held.set(key, { sort, version: { customerId, document, version } });
    }
  };

  versions(): UnfoldedVersions[] {
    const highest = [...this.#held.values()];
    return LEDGERED_DOCUMENTS.map((sort) => ({
      sort,
      versions: highest.filter((one) => one.sort === sort).map(({ version }) => version),
    }));
  }
}
