import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { openToOthers } from '#platform/sealing/key-file.ts';
import type { SettingDescription } from './setting-description.ts';
import { SETTINGS } from './setting-list.ts';

type Table = typeof SETTINGS;
export type SettingName = keyof Table;

const schemasOf = (table: Table) =>
  // `fromEntries` loses the types: each name has its row's schema.
  Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema])) as {
    [Name in SettingName]: Table[Name]['schema'];
  };

export const SETTING_SCHEMA = z.object(schemasOf(SETTINGS));
/** The value of every setting, by its environment variable. */
export type SettingValues = z.output<typeof SETTING_SCHEMA>;
export type Environment = Readonly<Record<string, string | undefined>>;
/** What is set, valid or not: texts by name, including the contents of files. */
export type SettingTexts = ReadonlyMap<string, string>;

/** The settings are invalid: one line per fault, never with a secret's value. */
export class SettingsError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`invalid settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/**
 * Reads and checks each setting, then all of them with `together`. An empty variable counts as unset. Throws
 * `SettingsError` with every fault.
 */
export function readValues(
  environment: Environment,
  together: (texts: SettingTexts) => readonly string[] = () => [],
): SettingValues {
  const faults: string[] = [];
  const texts = new Map<string, string>();
  for (const [name, setting] of Object.entries<SettingDescription>(SETTINGS)) {
    const text = textOf(name, setting, environment, (fault) => faults.push(fault));
    if (text !== undefined) texts.set(name, text);
  }
  const parsed = SETTING_SCHEMA.safeParse(Object.fromEntries(texts));
  const wrong = new Map<string, string>();
  // Reports only the first fault of each value.
  for (const { path, message } of parsed.error?.issues.toReversed() ?? [])
    wrong.set(String(path[0]), message);
  for (const name of Object.keys(SETTINGS)) if (wrong.has(name)) faults.push(`${name} ${wrong.get(name)}`);
  faults.push(...together(texts));
  if (faults.length > 0 || !parsed.success) throw new SettingsError(faults);
  return parsed.data;
}

type Report = (fault: string) => void;

function textOf(
  name: string,
  setting: SettingDescription,
  environment: Environment,
  report: Report,
): string | undefined {
  const inLowerCase = setting.isLowerCaseToo === true ? environment[name.toLowerCase()] : undefined;
  const value = inLowerCase || environment[name] || undefined;
  if (setting.file === true)
    return value === undefined ? undefined : contentOf(name, value, setting.privateFile === true, report);
  const secretFile = setting.secret === true ? environment[`${name}_FILE`] || undefined : undefined;
  if (secretFile === undefined) return value;
  if (value !== undefined) report(`${name} and ${name}_FILE are both set; unset one`);
  return contentOf(`${name}_FILE`, secretFile, true, report)?.trim();
}

function contentOf(name: string, file: string, isSecret: boolean, report: Report): string | undefined {
  try {
    const fault = isSecret ? openToOthers(file) : null;
    if (fault !== null) report(`${name}: ${fault}`);
    const content = readFileSync(file, 'utf8');
    if (content.trim() === '') report(`${name}: the file ${file} is empty`);
    return content;
  } catch (error) {
    report(`${name}: cannot read ${file} (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
    return undefined;
  }
}
