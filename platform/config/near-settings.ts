import { editDistance } from '#schemas/nearest-name.ts';
import type { SettingDescription } from './setting-description.ts';
import { SETTINGS } from './setting-list.ts';

/**
 * Finds environment variables that are probably misspelled settings, such as KAFKA_BROKER. An environment contains many
 * names of other programs, so each part between underscores must be almost the same.
 */

/** Common variables that resemble ours by chance. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'POST',
  'SORT',
  'COST',
  'HOSTS',
  'PORTS',
  'GHOST',
  'LOG_LEVELS',
]);

const NAMES: readonly string[] = Object.entries<SettingDescription>(SETTINGS).flatMap(([name, { secret }]) =>
  secret === true ? [name, `${name}_FILE`] : [name],
);

/** Number of typos allowed in a part of this length. */
const mistakesIn = (letters: number): number => Math.max(1, Math.floor(letters / 4));
const MAX_MISTAKES = 2;

function mistakes(name: string, sent: string): number {
  const [own, other] = [name.split('_'), sent.split('_')];
  // An underscore is missing or extra.
  if (own.length !== other.length) return own.join('') === other.join('') ? 1 : MAX_MISTAKES + 1;
  let sum = 0;
  for (const [index, part] of own.entries()) {
    const most = mistakesIn(part.length);
    const found = editDistance(part, other[index]!, most);
    sum += found > most ? MAX_MISTAKES + 1 : found;
  }
  return sum;
}

function nearestSetting(sent: string): string | null {
  // Lower-case names are shell variables, unless one spells a whole setting of several words.
  if (sent !== sent.toUpperCase()) {
    const spelt = sent.toUpperCase();
    return spelt.includes('_') && NAMES.includes(spelt) && !isLowerCaseToo(spelt) ? spelt : null;
  }
  const near = NAMES.map((name) => ({ name, far: mistakes(name, sent) })).filter(
    ({ far }) => far <= MAX_MISTAKES,
  );
  near.sort((a, b) => a.far - b.far);
  return near[0]?.name ?? null;
}

const isLowerCaseToo = (name: string): boolean =>
  (SETTINGS as Readonly<Record<string, SettingDescription>>)[name]?.isLowerCaseToo === true;

/** One sentence for each of them. Values are not read, except to check that there is one. */
export function misspelledSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment).flatMap((sent) => {
    const isEmpty = (environment[sent] ?? '') === '';
    if (isEmpty || NAMES.includes(sent) || OF_OTHERS.has(sent)) return [];
    const name = nearestSetting(sent);
    // If the correct name is set too, the other one belongs to another program.
    if (name === null || (environment[name] ?? '') !== '') return [];
    return [`${sent} is not a setting. Did you mean ${name}?`];
  });
}
