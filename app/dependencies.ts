import type { Codec } from '#platform/codec/port.ts';
import type { Settings } from '#platform/config/settings.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import type { Dependencies } from '#platform/process/dependencies.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { documentSeals, sealedState } from '#platform/sealing/document-seals.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { loadMasterKey } from '#platform/sealing/master-key.ts';
import { createRandomPool } from '#platform/sealing/random-pool.ts';
import type { State } from '#platform/state/port.ts';
import type { StateRights, WHOLE_STATE } from '#platform/state/redis/rights.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { stateEpoch } from '#records/epoch/epoch.ts';

/** Openers of the services' dependencies; each profile implements all of them. */
export interface DependencyOpeners {
  log(): Promise<EventLog>;
  state(): Promise<State>;
  warehouse(): Promise<Warehouse>;
  codec(): Promise<Codec>;
}

export interface OpenOptions<Profile extends Settings = Settings> {
  readonly settings: Profile;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** What the process does with the state, so that a missing permission fails the start at once. Absent: everything. */
  readonly stateRights?: StateRights | typeof WHOLE_STATE;
  /** Unix ms. */
  readonly now: () => number;
}

/**
 * Opens what every service needs, in dependency order; the state seals what it writes. The lifecycle closes what was
 * opened. Rejects when the state was sealed with another master key.
 */
export async function openDependencies(
  openers: DependencyOpeners,
  { settings, now }: Pick<OpenOptions, 'settings' | 'now'>,
): Promise<Dependencies> {
  const opened = await openers.state();
  const masterKey = await masterKeyOf(settings, opened);
  const state = sealedState(opened, documentSeals(masterKey));
  const keyring = openKeyring({ state, masterKey, now, randomBytes: createRandomPool() });
  await keyring.verify();
  const codec = await openers.codec();
  const log = await openers.log();
  return { log, state, codec, keyring };
}

/**
 * Created in the data folder only in the embedded profile, because a key on only one machine would lock out the others;
 * and only while nothing is stored, because a new key could not open existing data.
 */
async function masterKeyOf(settings: Settings, state: State): Promise<Buffer> {
  const isOwn = settings.masterKeyFile === null && settings.profile === 'embedded';
  const file = settings.masterKeyFile ?? dataFolder(settings.dataDir).masterKey;
  return loadMasterKey(file, { create: isOwn && (await stateEpoch(state)) === null });
}
