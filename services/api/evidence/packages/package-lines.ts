import { contentLineOf, entryLineOf, signalLineOf } from '#core/evidence/package/lines.ts';
import type { ErasureCover } from '#core/evidence/verify/erasure-cover.ts';
import { isMarked } from '#core/evidence/verify/verify-content.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  ledgerEntriesOf,
  type PackedRange,
  packedIncidentRows,
  packedSignalRows,
} from '#platform/warehouse/queries/evidence/packages.ts';
import { storedErasures } from '#records/retention/stored-erasures.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { PackagePlan } from './package-plan.ts';

/** Rows in memory at a time. */
const ENTRIES_AT_ONCE = 2_048;
/** Lines passed on together. */
const LINES_AT_ONCE = 64;

/** Erased content is stored again at this index of the ledger. */
export class ErasedContent extends Error {
  readonly index: number;
  constructor(index: number) {
    super(`erased content has reappeared at index ${index}`);
    this.name = 'ErasedContent';
    this.index = index;
  }
}

/** Called with the number of lines made since the last call. */
type OnLines = (count: number) => void;

/** One time slice for all packages of the process: they share the event loop with requests. */
const yieldTurn = timeSlice(() => performance.now());

async function* linesOf<Row>(
  rows: readonly Row[],
  lineOf: (row: Row) => string,
  onLines: OnLines,
): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += LINES_AT_ONCE) {
    await yieldTurn();
    const some = rows.slice(at, at + LINES_AT_ONCE);
    yield some.map(lineOf).join('');
    onLines(some.length);
  }
}

const erasuresOf = (warehouse: Warehouse, customerId: string, { first, last }: PackedRange) =>
  storedErasures(warehouse, customerId, { first, last });

/** Erased content goes into no package, even if it was stored again. */
function refuseReturned(
  erasures: ErasureCover,
  kind: LedgerKind,
  { index, erased }: { readonly index: number; readonly erased: string },
): void {
  const demanded = erasures.demands(kind, index);
  if (demanded !== null && !isMarked(erased, demanded)) throw new ErasedContent(index);
}

export async function* signalLines(
  warehouse: Warehouse,
  { selection, signals }: PackagePlan,
  onLines: OnLines,
): AsyncGenerator<string> {
  if (signals === null) return;
  const erasures = await erasuresOf(warehouse, selection.customerId, signals);
  for (let from = signals.first; from <= signals.last; from += ENTRIES_AT_ONCE) {
    const to = Math.min(from + ENTRIES_AT_ONCE, signals.last + 1);
    const rows = await packedSignalRows(warehouse, selection, { from, to });
    for (const row of rows) refuseReturned(erasures, 'SIGNAL', row);
    yield* linesOf(rows, signalLineOf, onLines);
  }
}

export async function* incidentLines(
  warehouse: Warehouse,
  { selection, moves }: PackagePlan,
  onLines: OnLines,
): AsyncGenerator<string> {
  if (moves === null) return;
  const erasures = await erasuresOf(warehouse, selection.customerId, moves);
  for (let after = moves.first - 1; ; ) {
    const rows = await packedIncidentRows(warehouse, selection, { after, limit: ENTRIES_AT_ONCE });
    for (const row of rows) refuseReturned(erasures, 'INCIDENT_EVENT', row);
    yield* linesOf(rows, contentLineOf, onLines);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ENTRIES_AT_ONCE) return;
    after = last.index;
  }
}

export async function* entryLines(
  warehouse: Warehouse,
  { customerId, entries }: PackagePlan,
  onLines: OnLines,
): AsyncGenerator<string> {
  for (let from = entries.from; from < entries.to; from += ENTRIES_AT_ONCE) {
    const to = Math.min(from + ENTRIES_AT_ONCE, entries.to);
    yield* linesOf(await ledgerEntriesOf(warehouse, customerId, { from, to }), entryLineOf, onLines);
  }
}
