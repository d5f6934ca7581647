import type { RoleName } from './roles.ts';
import type { SettingDescription } from './setting-description.ts';
import { SETTINGS } from './setting-list.ts';
import type { SettingName, SettingTexts } from './setting-values.ts';

/** Where the service stores its data: all of it in its data folder, or on four separate servers. */
type Profile = 'embedded' | 'distributed';

/** Selects the profile, and is one of its settings. */
const BROKERS = 'KAFKA_BROKERS' satisfies SettingName;
const ADDRESSES = [BROKERS, 'REDIS_URL', 'SCHEMA_REGISTRY_URL', 'CLICKHOUSE_URL'] satisfies SettingName[];

export const profileOf = (texts: SettingTexts): Profile => (texts.has(BROKERS) ? 'distributed' : 'embedded');

/** Addresses first. */
const neededBy = (role: RoleName): string[] => {
  const settings: Readonly<Record<string, SettingDescription>> = SETTINGS;
  const names = new Set<string>([...ADDRESSES, ...Object.keys(settings)]);
  return [...names].filter((name) => settings[name]?.neededBy?.includes(role) === true);
};

/**
 * Why these settings fit neither profile, or lack what a role needs; null if they are correct. The message names
 * everything that is missing. `role`: null for a command that is not a single role.
 */
export function profileFault(texts: SettingTexts, role: RoleName | null): string | null {
  const missing = (role === null ? ADDRESSES : neededBy(role)).filter((name) => !texts.has(name)).join(', ');
  if (missing === '') return null;
  if (role !== null) {
    return `"cas ${role}" runs a single service and needs shared servers and keys. Set ${missing}; or run "cas start" to run all services with embedded storage. See docs/configuration.md.`;
  }
  const set = ADDRESSES.filter((name) => texts.has(name)).join(', ');
  if (set === '') return null;
  return `${set} set without ${missing}: event log, warehouse, state and schema registry must be either all separate servers or all embedded. Set ${missing} as well; or unset ${set}.`;
}
