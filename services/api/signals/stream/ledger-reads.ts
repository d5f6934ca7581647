import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  epochOfEntry,
  hasMoreSignals,
  lastEntry,
  signalsBetween,
} from '#platform/warehouse/queries/followed.ts';
import { type SignalDependencies, shownSignals } from '../read-signals.ts';
import type { LedgerSource } from './followed-ledger.ts';
import { frameOf } from './frames.ts';

/** Waits for a turn, then runs the work. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A customer's ledger in the warehouse. Every statement names the customer. */
export function ledgerReads(
  { warehouse, directory }: SignalDependencies & { readonly warehouse: Warehouse },
  customerId: string,
  inTurn: InTurn,
): LedgerSource {
  return {
    last: () => inTurn(async () => (await lastEntry(warehouse, customerId)) ?? { epoch: 0, index: -1 }),
    epochOf: (index) => inTurn(() => epochOfEntry(warehouse, customerId, index)),
    hasMore: (range, than) => inTurn(() => hasMoreSignals(warehouse, customerId, range, than)),
    signals: (range, limit) =>
      inTurn(async () => {
        const rows = await signalsBetween(warehouse, customerId, range, limit);
        const shown = await shownSignals(directory, customerId, rows);
        return shown.map((data, at) => {
          const { epoch, index } = rows[at]!;
          const position = { epoch, index };
          return { position, frame: frameOf({ event: 'signal', data }, position) };
        });
      }),
  };
}
