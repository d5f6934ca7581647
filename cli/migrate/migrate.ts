import { randomBytes } from 'node:crypto';
import { acceptState } from '../../platform/runtime/accept-state.ts';
import { agreeOnEpoch, beginNewEpoch } from '../../platform/runtime/epoch.ts';
import { createLifecycle, type Lifecycle } from '../../platform/runtime/lifecycle.ts';
import { createLogger } from '../../platform/runtime/logger.ts';
import { refuseOlderState } from '../../platform/runtime/older-state.ts';
import { chooseParts, isEmbedded, openParts, type StoringParts } from '../../platform/runtime/parts.ts';
import type { Settings } from '../../platform/runtime/settings.ts';
import { ANALYZER_GROUP } from '../../services/analyzer/run-analyzer.ts';
import { entryMaker } from '../../services/api/use-cases/ledger-entries.ts';
import { storeFirstPositions } from '../../services/sink/new-epoch.ts';
import { SINK_GROUP } from '../../services/sink/pipeline.ts';
import { warehouseStore } from '../../services/sink/queries.ts';
import { newId } from '../new-id.ts';
import { print } from '../output.ts';

export interface MigrateOptions {
  readonly newEpoch?: boolean;
  readonly skipLog?: boolean;
  readonly acceptOlderState?: boolean;
}

/** Groups of the services that a change of the parts must not find running. */
const CONSUMER_GROUPS = [SINK_GROUP, ANALYZER_GROUP];

/** Makes parts ready for the services: topics, schemas, tables and the log epoch that all agree on. */
async function migrateParts(
  settings: Settings,
  options: MigrateOptions,
  lifecycle: Lifecycle,
): Promise<void> {
  const { newEpoch = false, skipLog = false, acceptOlderState: accepts = false } = options;
  const logger = createLogger(settings.logLevel);
  if (!isEmbedded(settings)) {
    const { prepareRealParts } = await import('../../platform/runtime/prepare.ts');
    await prepareRealParts(settings, logger, print);
  }
  const now = Date.now;
  const openOptions = { settings, lifecycle, logger, now, role: 'migrate' } as const;
  const openers = await chooseParts(openOptions);
  // The entries of new versions are sealed, and nothing else here needs keys.
  const opened = accepts ? await openParts(openers, openOptions) : null;
  const state = opened?.state ?? (await openers.state());
  const log = opened?.log ?? (await openers.log());
  const warehouse = await openers.warehouse();
  const parts = { log, state, warehouse, now, newId };
  if (!newEpoch) {
    const epoch = await agreeOnEpoch(parts, { initialise: true });
    print(`The tables are up to date. Log, state and warehouse agree on log epoch ${epoch}.`);
    if (opened === null) await refuseOlderState(parts);
    else await acceptAndTell({ ...opened, warehouse });
    return;
  }
  const positions = { log, store: warehouseStore(warehouse), now };
  const epoch = await beginNewEpoch(parts, CONSUMER_GROUPS, (next) =>
    storeFirstPositions(positions, next, skipLog ? 'end' : 'start'),
  );
  print(
    `Log epoch ${epoch} begins at the ${skipLog ? 'end' : 'start'} of the log. Start the services again.`,
  );
  if (opened !== null) await acceptAndTell({ ...opened, warehouse });
}

/** Accepts a state that is older than the ledger, and says what became of it. */
async function acceptAndTell(parts: StoringParts): Promise<void> {
  const makeEntry = entryMaker({ ...parts, randomBytes });
  const accepting = { ...parts, makeEntry, now: Date.now, newId };
  const { lifted, givenUp } = await acceptState(accepting, CONSUMER_GROUPS);
  print(
    `The state is accepted as it is: ${lifted} documents got new versions, ${givenUp} that it does not hold are given up.`,
  );
}

/** Does it, and closes what it opened. */
export async function migrate(settings: Settings, options: MigrateOptions): Promise<void> {
  const lifecycle = createLifecycle(createLogger(settings.logLevel));
  try {
    await migrateParts(settings, options, lifecycle);
  } finally {
    await lifecycle.stop();
  }
}
