import type { Codec } from '../codec/port.ts';
import { type SandboxVersions, sandboxVersions } from '../directory/sandbox-versions.ts';
import type { EventLog } from '../event-log/port.ts';
import { openKeyring } from '../sealing/keyring.ts';
import { loadMasterKey } from '../sealing/master-key.ts';
import type { Keyring } from '../sealing/port.ts';
import { createRandomPool } from '../sealing/random-pool.ts';
import type { State } from '../state/port.ts';
import type { Warehouse } from '../warehouse/port.ts';
import { dataFolder } from './data-folder.ts';
import type { EmbeddedParts } from './embedded-parts.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import type { Settings } from './settings.ts';
import type { StateRole } from './state-rights.ts';

/** The parts that every service stands on. */
export interface Parts {
  readonly log: EventLog;
  readonly state: State;
  readonly codec: Codec;
  readonly keyring: Keyring;
  readonly sandboxVersions: SandboxVersions;
}

/** With the warehouse, which the analyzer does without. */
export interface StoringParts extends Parts {
  readonly warehouse: Warehouse;
}

/** How each part is opened; the embedded and the real set-up have one for each. */
export interface PartOpeners {
  log(): Promise<EventLog>;
  state(): Promise<State>;
  warehouse(): Promise<Warehouse>;
  codec(): Promise<Codec>;
}

export interface OpenOptions {
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** Whose rights are needed in the state. Absent: those of the API, which has all. */
  readonly role?: StateRole;
  /** Unix ms. */
  readonly now: () => number;
}

/** Openers of the parts as the settings say, and the embedded ones where there are any: tests make them fail. */
export interface ChosenParts extends PartOpeners {
  readonly embedded: EmbeddedParts | null;
}

/** True when every part is embedded: then this process owns all of them, and may set them up by itself. */
export const isEmbedded = ({ kafka, redis, clickhouse, registry }: Settings): boolean =>
  [kafka, redis, clickhouse, registry].every((part) => part === null);

/**
 * For each part the real one where its address is set, else the embedded one. What is opened is closed by the
 * lifecycle. Only the adapters that are needed are loaded: the others' packages may be missing.
 */
export async function chooseParts(options: OpenOptions): Promise<ChosenParts> {
  const { kafka, redis, clickhouse, registry } = options.settings;
  const isReal = [kafka, redis, clickhouse, registry].map((part) => part !== null);
  const real = isReal.includes(true) ? (await import('./real-parts.ts')).realParts(options) : null;
  const embedded = isReal.includes(false)
    ? await (await import('./embedded-parts.ts')).embeddedParts(options)
    : null;
  const choose = (setting: unknown): PartOpeners => (setting === null ? embedded : real) as PartOpeners;
  return {
    log: choose(kafka).log,
    state: choose(redis).state,
    warehouse: choose(clickhouse).warehouse,
    codec: choose(registry).codec,
    embedded,
  };
}

/** Opens what every service needs, in the order in which the parts need each other. */
export async function openParts(openers: PartOpeners, { settings, now }: OpenOptions): Promise<Parts> {
  // Made in the data folder only where the state lies there too: a key of one machine alone would lock others out.
  const masterKey = loadMasterKey(settings.masterKeyFile ?? dataFolder(settings.dataDir).masterKey, {
    create: settings.masterKeyFile === null && settings.redis === null,
  });
  const state = await openers.state();
  const codec = await openers.codec();
  const log = await openers.log();
  return {
    log,
    state,
    codec,
    keyring: openKeyring({ state, masterKey, now, randomBytes: createRandomPool() }),
    sandboxVersions: sandboxVersions(state.documents),
  };
}
