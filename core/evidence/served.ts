import type { Signal } from '#schemas/api/signals.ts';
import type { SignalCore } from '#schemas/ledger/signal.v1.ts';
import {
  BLANK_DETAIL,
  columnsOfSignal,
  JSON_COLUMNS,
  type SIGNAL_DETAIL,
} from '#schemas/ledger/signal-columns.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';

/**
 * Stored rows as served by the API: the columns of the row's SIGNAL version. The verifier assembles them independently
 * (`verify-columns.ts`), so that it detects mistakes in what is served.
 */

type Values = Readonly<Record<string, unknown>>;

/** Core of a stored signal. Its fields are blank if the row was erased with scope ALL. */
export const servedCore = (row: SignalRow): SignalCore =>
  picked(columnsOfSignal(row.v).core, row) as unknown as SignalCore;

/** Detail of a stored signal; `reasoning` and similar fields are null after erasure. */
type ServedDetail = Pick<Signal, keyof typeof SIGNAL_DETAIL>;

/** Throws `SyntaxError` if the stored list of detections is not JSON. */
export const servedDetail = (row: SignalRow): ServedDetail =>
  picked(columnsOfSignal(row.v).detail, row) as unknown as ServedDetail;

/** The same for a row whose detail was erased, regardless of its content. */
export const erasedDetail = ({ v }: SignalRow): ServedDetail =>
  picked(columnsOfSignal(v).detail, BLANK_DETAIL) as unknown as ServedDetail;

function picked(names: readonly string[], row: Values | SignalRow): Values {
  const served: Record<string, unknown> = {};
  for (const name of names) {
    const value = (row as Values)[name];
    served[name] = JSON_COLUMNS.includes(name) ? JSON.parse(value as string) : value;
  }
  return served;
}
