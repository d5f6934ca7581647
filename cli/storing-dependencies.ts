import { WHOLE_STATE } from '#platform/state/redis/rights.ts';
import {
  type DependencyOpeners,
  type OpenOptions,
  openDependencies,
  type StoringDependencies,
} from '#platform/wiring/dependencies.ts';
import { agreeOnEpoch } from '#platform/wiring/epoch.ts';
import { type LedgerWatch, watchLedger } from '#services/customers/comparison/ledger-watch.ts';
import { refuseOlderState } from '#services/customers/comparison/older-state.ts';
import { checkPositions } from '#services/sink/main.ts';
import { newId } from './new-id.ts';

interface OpenedStores {
  readonly dependencies: StoringDependencies;
  /** The log's epoch, as log, state and warehouse agreed on it. */
  readonly epoch: number;
  readonly ledger: LedgerWatch;
}

/**
 * Opens the dependencies of a service that reads or writes the warehouse, and first checks that log, state and
 * warehouse belong together. `initialise`: sets them up when all three are new.
 */
export async function openStoringDependencies(
  openers: DependencyOpeners,
  options: OpenOptions,
  { initialise }: { readonly initialise: boolean },
): Promise<OpenedStores> {
  const { lifecycle, logger, now, stateRights = WHOLE_STATE } = options;
  const opened = await openDependencies(openers, options);
  const dependencies = { ...opened, warehouse: await openers.warehouse() };
  const epoch = await agreeOnEpoch({ ...dependencies, now, newId }, { initialise });
  await checkPositions(dependencies, epoch);
  await refuseOlderState(dependencies);
  if (stateRights === WHOLE_STATE) await opened.keyring.adopt();
  const ledger = watchLedger({ ...dependencies, logger });
  lifecycle.add('comparison of state and ledger', ledger.stop);
  return { dependencies, epoch, ledger };
}
