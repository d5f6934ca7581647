import { randomBytes } from 'node:crypto';
import { type DependencyOpeners, type OpenOptions, openDependencies } from '#app/dependencies.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { StoringDependencies } from '#platform/process/dependencies.ts';
import { createLifecycle, type Lifecycle } from '#platform/process/lifecycle.ts';
import { newId } from '#platform/process/new-id.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { acceptChangedState, acceptState } from '#records/comparison/accept-state.ts';
import { described } from '#records/comparison/changed-state.ts';
import { refuseOlderState } from '#records/comparison/older-state.ts';
import { agreeOnEpoch, startNewEpoch } from '#records/epoch/epoch.ts';
import { STATE_RIGHTS } from '#records/state-rights.ts';
import { GROUPS } from '#schemas/topics.ts';
import { warehouseStore } from '#services/sink/flush/queries.ts';
import { storeFirstPositions } from '#services/sink/start/new-epoch.ts';
import { plural, print } from '../command/output.ts';

export interface MigrateOptions {
  readonly newEpoch?: boolean;
  readonly skipLog?: boolean;
  readonly acceptOlderState?: boolean;
  readonly acceptChangedDocuments?: boolean;
}

/** Openers for the settings' profile. Only its adapters are loaded: packages of the other profile may be missing. */
async function openersOf(options: OpenOptions): Promise<DependencyOpeners> {
  const { settings } = options;
  if (settings.profile === 'embedded') {
    const { EmbeddedDependencies } = await import('#app/embedded-dependencies.ts');
    return EmbeddedDependencies.lock({ ...options, settings });
  }
  const { prepareServers } = await import('#app/prepare-servers.ts');
  await prepareServers(settings, options.logger, print);
  const { distributedDependencies } = await import('#app/distributed-dependencies.ts');
  return distributedDependencies({ ...options, settings });
}

/** Prepares the services' dependencies: topics, schemas, tables and the shared log epoch. */
async function prepareAll(settings: Settings, options: MigrateOptions, lifecycle: Lifecycle): Promise<void> {
  const { newEpoch = false, skipLog = false } = options;
  const accepts = options.acceptOlderState === true || options.acceptChangedDocuments === true;
  const logger = createLogger(settings.logLevel);
  const now = Date.now;
  const openOptions = { settings, lifecycle, logger, now, stateRights: STATE_RIGHTS.migrate };
  const openers = await openersOf(openOptions);
  // Only an accepted loss has entries and seals; nothing else here needs keys.
  const opened = accepts ? await openDependencies(openers, openOptions) : null;
  const state = opened?.state ?? (await openers.state());
  const log = opened?.log ?? (await openers.log());
  const warehouse = await openers.warehouse();
  const stores = { log, state, warehouse, now, newId };
  if (!newEpoch) {
    const epoch = await agreeOnEpoch(stores, { initialise: true });
    print(`Topics, schemas and tables are up to date. Log, state and warehouse are at log epoch ${epoch}.`);
    if (opened === null) await refuseOlderState(stores);
    else await acceptAndReport({ ...opened, warehouse }, options);
    return;
  }
  const positions = { log, store: warehouseStore(warehouse), now };
  const epoch = await startNewEpoch(stores, GROUPS, (next) =>
    storeFirstPositions(positions, next, skipLog ? 'end' : 'start'),
  );
  print(`Log epoch ${epoch} starts at the ${skipLog ? 'end' : 'start'} of the log. Start the services now.`);
  if (opened !== null) await acceptAndReport({ ...opened, warehouse }, options);
}

/** Accepts the state as the options say, and prints the result. */
async function acceptAndReport(
  stores: StoringDependencies,
  { acceptOlderState, acceptChangedDocuments }: MigrateOptions,
): Promise<void> {
  const makeEntry = entryMaker({ ...stores, randomBytes });
  const accepting = { ...stores, makeEntry, now: Date.now, newId };
  if (acceptOlderState) await acceptOlder(accepting);
  else await refuseOlderState(stores);
  if (!acceptChangedDocuments) return;
  const seals = stores.keyring.documentSeals;
  const changed = await acceptChangedState({ ...accepting, seals }, GROUPS, (one) =>
    print(`Accepted: ${described(one)}.`),
  );
  print(
    `Changed documents accepted: ${plural(changed.lifted, 'new version')}, ${plural(changed.sealed, 'new seal')}.`,
  );
}

/** Accepts a state older than the ledger, and prints the result. */
async function acceptOlder(accepting: Parameters<typeof acceptState>[0]): Promise<void> {
  const { lifted, givenUp } = await acceptState(accepting, GROUPS);
  print(
    `Older state accepted: ${plural(lifted, 'document')} raised to new versions, ${plural(givenUp, 'document')} lost.`,
  );
}

/** Runs the migration, and closes what it opened. */
export async function migrate(settings: Settings, options: MigrateOptions): Promise<void> {
  const lifecycle = createLifecycle(createLogger(settings.logLevel));
  try {
    await prepareAll(settings, options, lifecycle);
  } finally {
    await lifecycle.stop();
  }
}
