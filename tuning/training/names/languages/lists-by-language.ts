import { allLocales, Faker, type LocaleDefinition } from '@faker-js/faker';
import type { DataFolder } from '../../../samples/data-folder.ts';

/** Names of a language, and addresses in its country's format. */
export interface ListsOfLanguage {
  readonly given: readonly string[];
  readonly surnames: readonly string[];
  readonly address: () => string;
}

/** The locales of `@faker-js/faker` (MIT) with addresses of the country. */
const LOCALES: Readonly<Record<string, keyof typeof allLocales>> = {
  cs: 'cs_CZ',
  da: 'da',
  de: 'de',
  es: 'es',
  fi: 'fi',
  fr: 'fr',
  hu: 'hu',
  id: 'id_ID',
  it: 'it',
  nl: 'nl',
  no: 'nb_NO',
  pl: 'pl',
  pt: 'pt_PT',
  ro: 'ro',
  ru: 'ru',
  sv: 'sv',
  tr: 'tr',
  uk: 'uk',
  vi: 'vi',
};

/** Postcode formats of countries for which faker's differ from what people write. */
const POSTCODES: Readonly<Record<string, string>> = {
  cs: '### ##',
  nl: '#### ??',
  pl: '##-###',
  pt: '####-###',
  sv: '### ##',
};

const WRITTEN = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}'’ .-]{2,}$/u;

/** Names of a language, from the lists of its country. */
export function namesOf(data: DataFolder, language: string, wanted: 'given' | 'surname'): readonly string[] {
  return data
    .rows(`pii/names-${language}.txt`)
    .filter(([, kind]) => kind === wanted)
    .map(([name]) => name!);
}

const seen = new Map<string, ListsOfLanguage>();

/** Read once. Addresses come from a generator with its own seed. */
export function listsOf(data: DataFolder, language: string): ListsOfLanguage {
  const known = seen.get(language);
  if (known !== undefined) return known;
  const locale = LOCALES[language]!;
  const faker = new Faker({
    locale: [allLocales[locale], allLocales.en, allLocales.base] as LocaleDefinition[],
  });
  faker.seed(20_260_101);
  const written = (kind: 'given' | 'surname'): readonly string[] =>
    namesOf(data, language, kind).filter((name) => WRITTEN.test(name));
  const postcode = (): string => {
    const form = POSTCODES[language];
    return form === undefined
      ? faker.location.zipCode()
      : form
          .replace(/#/g, () => String(faker.number.int(9)))
          .replace(/\?/g, () => faker.string.alpha({ casing: 'upper' }));
  };
  const address = (): string => {
    const street = faker.location.streetAddress(faker.number.int(3) === 0);
    const parts = [street, `${postcode()} ${faker.location.city()}`];
    const kind = faker.number.int(9);
    if (kind === 0) return street;
    if (kind === 1) parts[1] = faker.location.city();
    return parts.join(kind < 8 ? ', ' : '\n');
  };
  const lists = { given: written('given'), surnames: written('surname'), address };
  seen.set(language, lists);
  return lists;
}
