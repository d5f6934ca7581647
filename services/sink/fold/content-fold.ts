import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import type { EntryRow, SignalRow } from '#schemas/tables/tables.ts';
import type { ContentBelow } from './content-below.ts';
import type { FoldRows } from './fold-rows.ts';
import type { CheckedEntry } from './ledger-record.ts';
import type { LinkedEntry } from './rows.ts';

/** A new entry and its link in the chain. */
interface FoldedEntry {
  readonly checked: CheckedEntry;
  readonly linked: LinkedEntry;
  /** Whether the customer was closed before this entry. */
  readonly closed: boolean;
}

/** Revision of a blank row, and the position of the record that blanked it. */
export interface BlankedBy {
  readonly revision: number;
  readonly epoch: number;
  readonly offset: number;
}

/** How entries of a kind become rows. `Table` is where their content is stored. */
interface ContentFold<Table extends 'signals' | 'entries', Row extends SignalRow | EntryRow> {
  readonly table: Table;
  readonly row: (checked: CheckedEntry, linked: LinkedEntry) => Row;
  readonly blank: (row: Row, scope: ErasureScope, by: BlankedBy) => Row;
  /** Its effect on other rows. */
  readonly effect?: (entry: FoldedEntry, below: ContentBelow, rows: FoldRows) => void;
}

export type SignalFold = ContentFold<'signals', SignalRow>;
export type EntryFold = ContentFold<'entries', EntryRow>;

/** Adds an entry's rows. For a closed customer nothing is ever stored in clear, not even until a tombstone. */
export function foldContent(
  fold: SignalFold | EntryFold,
  entry: FoldedEntry,
  below: ContentBelow,
  rows: FoldRows,
): void {
  if (fold.table === 'signals') {
    const row = contentOf(fold, entry);
    rows.signals.push(row);
    below.addSignal(row);
  } else {
    const row = contentOf(fold, entry);
    rows.entries.push(row);
    below.addEntry(row);
  }
  fold.effect?.(entry, below, rows);
}

function contentOf<Row extends SignalRow | EntryRow>(
  { row, blank }: Pick<ContentFold<'signals' | 'entries', Row>, 'row' | 'blank'>,
  { checked, linked, closed }: FoldedEntry,
): Row {
  const content = row(checked, linked);
  const { epoch, offset } = linked;
  return closed ? blank(content, 'ALL', { revision: 0, epoch, offset }) : content;
}
