import { type LedgerWatch, watchLedger } from '../../../platform/runtime/ledger-watch.ts';
import { refuseOlderState, StateOlder } from '../../../platform/runtime/older-state.ts';
import type { State } from '../../../platform/state/port.ts';
import { warehouseOfProcess } from '../parts/warehouse.ts';
import type { NodeParts } from './node.ts';

/** More often than in earnest, where it is an hour, so that a run can wait for it. */
const EVERY_MS = 60_000;

/** As every role begins that stores or serves: rejects with `StateOlder`, and goes on comparing. */
export async function compareWithLedger(parts: NodeParts, state: State): Promise<LedgerWatch> {
  const { store, network, process, logger } = parts;
  const warehouse = warehouseOfProcess(store, network, process);
  await refuseOlderState({ state, warehouse });
  return watchLedger({
    state,
    warehouse,
    everyMs: EVERY_MS,
    logger: {
      warn: logger.warn.bind(logger),
      error: (fields: unknown, message?: string) => {
        logger.error(fields, message);
        if ((fields as { err?: unknown }).err instanceof StateOlder) parts.onOlder();
      },
    } as typeof logger,
  });
}
