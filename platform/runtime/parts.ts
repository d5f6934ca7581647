import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { TOPICS } from '../../schemas/topics.ts';
import { bundledCodec } from '../codec/bundled.ts';
import type { Codec } from '../codec/port.ts';
import { type SandboxVersions, sandboxVersions } from '../directory/sandbox-versions.ts';
import { openEmbeddedLog } from '../event-log/embedded.ts';
import { acquireDataLock } from '../event-log/lock.ts';
import type { EventLog } from '../event-log/port.ts';
import { readKeyFile } from '../sealing/key-file.ts';
import { openKeyring } from '../sealing/keyring.ts';
import { loadMasterKey } from '../sealing/master-key.ts';
import type { Keyring } from '../sealing/port.ts';
import { loadSigningKey, type SigningKey } from '../sealing/signing-key.ts';
import { openEmbeddedState } from '../state/embedded.ts';
import { type FaultyState, withFaults } from '../state/faults.ts';
import type { State } from '../state/port.ts';
import { openWarehouse } from '../warehouse/clickhouse.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../warehouse/embedded-process.ts';
import { migrate } from '../warehouse/migrations.ts';
import type { Warehouse } from '../warehouse/port.ts';
import { makeDataFolder } from './data-folder.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import { packageRoot } from './package-root.ts';
import type { Settings } from './settings.ts';

/** The parts that every service stands on. */
export interface Parts {
  readonly log: EventLog;
  readonly state: State;
  readonly warehouse: Warehouse;
  readonly codec: Codec;
  readonly keyring: Keyring;
  readonly sandboxVersions: SandboxVersions;
  readonly signingKey: SigningKey;
  readonly internalSecrets: readonly string[];
  readonly embedded: { readonly state: FaultyState; readonly warehouse: EmbeddedWarehouse };
}

const INTERNAL_SECRET_BYTES = 32;

const newInternalSecret = (): Buffer => Buffer.from(randomBytes(INTERNAL_SECRET_BYTES).toString('hex'));

/**
 * Opens the embedded parts of a data folder, in the order in which they need each other, and registers how each is
 * closed. Rejects with what to do when the folder is in use, a key file is not usable, or data cannot be opened.
 */
export async function openEmbeddedParts(
  settings: Settings,
  lifecycle: Lifecycle,
  logger: Logger,
  now: () => number,
): Promise<Parts> {
  const folder = makeDataFolder(settings.dataDir);
  const lock = await acquireDataLock(folder.root);
  lifecycle.add('data lock', lock.release);

  const internalSecrets = settings.internalSecrets ?? [
    readKeyFile(folder.internalSecret, 'INTERNAL_SECRET', newInternalSecret).toString('utf8').trim(),
  ];
  const masterKey = loadMasterKey(settings.masterKeyFile ?? folder.masterKey, {
    create: settings.masterKeyFile === null,
  });
  const signingKey = loadSigningKey(settings.signingKeyFile ?? folder.signingKey, {
    create: settings.signingKeyFile === null,
  });

  // The wrapper refuses calls only when a test tells it to.
  const state = withFaults(
    await openEmbeddedState({ path: path.join(folder.state, 'state.mdb'), now, logger }),
  );
  lifecycle.add('state', state.close);
  const log = await openEmbeddedLog({ path: folder.log, topics: TOPICS, now, logger });
  lifecycle.add('event log', () => log.close());

  const engine = await startEmbeddedWarehouse({ path: folder.warehouse, logger });
  lifecycle.add('embedded warehouse', () => engine.stop());
  const warehouse = openWarehouse({ ...engine, logger });
  lifecycle.add('warehouse connections', () => warehouse.close());
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'), { now });

  return {
    log,
    state,
    warehouse,
    codec: bundledCodec(),
    keyring: openKeyring({ state, masterKey, now }),
    sandboxVersions: sandboxVersions(state.documents),
    signingKey,
    internalSecrets,
    embedded: { state, warehouse: engine },
  };
}
