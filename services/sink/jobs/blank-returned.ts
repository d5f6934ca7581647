import type { ErasureCover } from '#core/evidence/verify/erasure-cover.ts';
import type { Documents, Expiring, StoredDocument } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  auditsWithContent,
  deleteContent,
  storedAudits,
  storedEntries,
  storedSignals,
} from '#platform/warehouse/queries/evidence/returned.ts';
import { ledgerHead, ledgerRows } from '#platform/warehouse/queries/ledger.ts';
import { blankingRequests, endBlanking, type ReturnedContent } from '#records/retention/returned-content.ts';
import { storedErasures } from '#records/retention/stored-erasures.ts';
import { groupBy } from '#schemas/group-by.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { AUDITS, ENTRIES, type LedgerRow, SIGNALS } from '#schemas/tables/tables.ts';
import {
  erasedAgain,
  erasedEntries,
  type ReturnedAudit,
  returnedOthers,
  returnedSignals,
} from './returned-rows.ts';

interface BlankingDependencies {
  readonly warehouse: Warehouse;
  readonly documents: Documents;
  readonly expiring: Pick<Expiring, 'setIfAbsent' | 'delete'>;
  readonly logger: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Counts the entries that were blanked again. */
  readonly blanked: (entries: number) => void;
}

const LEASE_MS = 60_000;
/** Entries checked together. */
const STEP = 1_024;
/** Ledger rows in one read: copies of a row count too. */
const LEDGER_ROWS_PER_READ = 8 * STEP;

/**
 * Blanks erased content that reappeared in the tables, where this was requested: the rows are those that the fold of
 * its ERASUREs makes, and the content they hide is deleted afterwards. One sink at a time, only to save work. Failures
 * are logged and retried at the next call.
 */
export async function blankReturned(dependencies: BlankingDependencies): Promise<void> {
  for (const request of await blankingRequests(dependencies.documents)) {
    await carryOut(dependencies, request).catch((err: unknown) =>
      dependencies.logger.warn({ customerId: request.id, err }, 'failed to blank restored content; retrying'),
    );
  }
}

async function carryOut(
  dependencies: BlankingDependencies,
  request: StoredDocument<ReturnedContent>,
): Promise<void> {
  const { warehouse, documents, expiring, logger, blanked } = dependencies;
  const customerId = request.id;
  const lease = `lease:erasure-rows:${customerId}`;
  if (!(await expiring.setIfAbsent(lease, 'taken', LEASE_MS))) return;
  try {
    const head = (await ledgerHead(warehouse, customerId)) ?? -1;
    for (const [from, to] of request.value.ranges) {
      for (let first = Math.max(0, from); first <= Math.min(to, head); first += STEP) {
        const last = Math.min(first + STEP - 1, to, head);
        const entries = await blankAgain(warehouse, customerId, { first, last });
        if (entries.length === 0) continue;
        blanked(entries.length);
        logger.error(
          { customerId, entries: entries.length, firstIndex: Math.min(...entries) },
          'erased content reappeared; blanked again',
        );
      }
    }
    await endBlanking(documents, request);
  } finally {
    await expiring.delete(lease);
  }
}

/** Blanks erased content that is still served, for entries `first` to `last`; returns their indexes. */
async function blankAgain(
  warehouse: Warehouse,
  customerId: string,
  reaching: { readonly first: number; readonly last: number },
): Promise<number[]> {
  const cover = await storedErasures(warehouse, customerId, reaching);
  const { first: from, last: to } = reaching;
  const ledger = await ledgerRows(warehouse, customerId, { from, to, limit: LEDGER_ROWS_PER_READ });
  const entries = erasedEntries(ledger, cover);
  const indexes = entries.map((entry) => entry.ledger.index);
  const auditIds = entries.flatMap((entry) => (entry.ledger.kind === 'SIGNAL' ? [entry.ledger.id] : []));
  const signals = returnedSignals(entries, await storedSignals(warehouse, customerId, { indexes, auditIds }));
  const others = returnedOthers(entries, await storedEntries(warehouse, customerId, indexes));
  // Blank rows first, each insert awaited: the rest of an entry with an erased detail has to stay.
  await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), signals.blanks);
  await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), others.blanks);
  for (const scope of ['ALL', 'DETAIL'] as const) {
    const served = signals.served[scope];
    const ids = idsOf(ledger, served);
    if (served.length > 0)
      await deleteContent(warehouse, 'signals', scope, { customerId, indexes: served, ids });
    const rest = others.served[scope];
    if (rest.length > 0)
      await deleteContent(warehouse, 'entries', scope, { customerId, indexes: rest, ids: [] });
  }
  const audits = await eraseAgain(warehouse, customerId, ledger, cover);
  const all = [signals, others].flatMap(({ served }) => [...served.ALL, ...served.DETAIL]);
  return [...new Set([...all, ...audits])];
}

const idsOf = (ledger: readonly LedgerRow[], indexes: readonly number[]): string[] => [
  ...new Set(ledger.flatMap(({ index, id }) => (indexes.includes(index) ? [id] : []))),
];

/** The same for the rows of erased audits in the audit list. */
async function eraseAgain(
  warehouse: Warehouse,
  customerId: string,
  ledger: readonly LedgerRow[],
  cover: ErasureCover,
): Promise<number[]> {
  const erased = new Map<string, ReturnedAudit>();
  for (const row of ledger) {
    const auditId = cover.erasedAudit(row);
    const blank = row.kind === 'SIGNAL' ? cover.blankOf('SIGNAL', row.index) : null;
    if (auditId !== null && !erased.has(auditId)) erased.set(auditId, { ledger: row, blank });
  }
  const ids = await auditsWithContent(warehouse, customerId, [...erased.keys()]);
  if (ids.length === 0) return [];
  const stored = groupBy(await storedAudits(warehouse, customerId, ids), ({ auditId }) => auditId);
  const rows = ids.flatMap((id) => erasedAgain(erased.get(id)!, stored.get(id) ?? []) ?? []);
  await warehouse.insert(AUDITS.name, columnNames(AUDITS), rows);
  await deleteContent(warehouse, 'audits', 'ALL', { customerId, indexes: [], ids });
  return ids.map((id) => erased.get(id)!.ledger.index);
}
