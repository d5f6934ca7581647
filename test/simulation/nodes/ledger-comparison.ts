import type { EventLog } from '#platform/event-log/port.ts';
import type { State } from '#platform/state/port.ts';
import { type LedgerWatch, watchLedger } from '#records/comparison/ledger-watch.ts';
import { refuseOlderState, StateOlder } from '#records/comparison/older-state.ts';
import { warehouseOfProcess } from '../dependencies/warehouse.ts';
import type { NodeDependencies } from './node.ts';

/** More often than in production (hourly), so that a run can wait for it. */
const EVERY_MS = 60_000;

/** Start-up check of every role that stores or serves: rejects with `StateOlder`, and continues comparing. */
export async function compareWithLedger(
  dependencies: NodeDependencies,
  { state, log }: { readonly state: State; readonly log: EventLog },
): Promise<LedgerWatch> {
  const { store, network, process, logger } = dependencies;
  const warehouse = warehouseOfProcess(store, network, process);
  await refuseOlderState({ state, warehouse, log });
  return watchLedger({
    state,
    warehouse,
    log,
    everyMs: EVERY_MS,
    logger: {
      warn: logger.warn.bind(logger),
      error: (fields: unknown, message?: string) => {
        logger.error(fields, message);
        if ((fields as { err?: unknown }).err instanceof StateOlder) dependencies.onOlder();
      },
    } as typeof logger,
  });
}
