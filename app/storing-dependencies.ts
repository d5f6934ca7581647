import type { StoringDependencies } from '#platform/process/dependencies.ts';
import { newId } from '#platform/process/new-id.ts';
import { WHOLE_STATE } from '#platform/state/redis/rights.ts';
import { demandTables, tablesCheck } from '#platform/warehouse/check-tables.ts';
import { type DamageWatch, watchDamage } from '#platform/warehouse/damage-watch.ts';
import { type LedgerWatch, watchLedger } from '#records/comparison/ledger-watch.ts';
import { refuseOlderState } from '#records/comparison/older-state.ts';
import { checkSeals } from '#records/comparison/seal-state.ts';
import { agreeOnEpoch } from '#records/epoch/epoch.ts';
import { checkPositions } from '#services/sink/main.ts';
import { type DependencyOpeners, type OpenOptions, openDependencies } from './dependencies.ts';

interface OpenedStores {
  readonly dependencies: StoringDependencies;
  /** The log's epoch, as agreed by log, state and warehouse. */
  readonly epoch: number;
  readonly ledger: LedgerWatch;
  readonly damage: DamageWatch;
  /** For readiness: whether all tables exist. */
  readonly tables: ReturnType<typeof tablesCheck>;
}

/**
 * Opens the dependencies of a service that reads or writes the warehouse, after checking that log, state and warehouse
 * belong together. `initialise`: sets them up when all three are new; `tables`: those used by the service.
 */
export async function openStoringDependencies(
  openers: DependencyOpeners,
  options: OpenOptions,
  {
    initialise,
    tables,
  }: { readonly initialise: boolean; readonly tables: Parameters<typeof tablesCheck>[1] },
): Promise<OpenedStores> {
  const { settings, lifecycle, logger, now, stateRights = WHOLE_STATE } = options;
  const opened = await openDependencies(openers, options);
  const damage = watchDamage(await openers.warehouse(), { logger, now });
  const dependencies = { ...opened, warehouse: damage.warehouse };
  await demandTables(dependencies.warehouse, tables);
  const epoch = await agreeOnEpoch({ ...dependencies, now, newId }, { initialise });
  await checkPositions(dependencies, epoch, { isOneFile: settings.profile === 'embedded' });
  const comparedAt = opened.state.connections();
  await refuseOlderState(dependencies);
  // The process that manages the state is also responsible for its content.
  const serves = stateRights === WHOLE_STATE;
  const seals = opened.keyring.documentSeals;
  if (serves) {
    await checkSeals({ ...dependencies, seals }, { logger, now });
    await opened.keyring.adopt();
  }
  const ledger = watchLedger({ ...dependencies, logger, comparedAt, ...(serves ? { seals } : {}) });
  lifecycle.add('state comparison', ledger.stop);
  return { dependencies, epoch, ledger, damage, tables: tablesCheck(dependencies.warehouse, tables, now) };
}
