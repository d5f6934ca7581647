import { type Lists, readLists, readListsOf } from '../../../samples/lists.ts';

const layouts = (file: string) => readListsOf(`training/names/layouts/${file}`, 'withValues', 'without');

/** Sentences, letters, forms and code with slots for made-up values, which `general.txt` explains. */
export const { withValues: LAYOUTS_WITH_VALUES, without: LAYOUTS_WITHOUT } = layouts('general.txt');
/** Machine formats. */
export const { withValues: FORMATS_WITH_VALUES, without: FORMATS_WITHOUT } = layouts('formats.txt');
/** More sentences, of every kind of prose. */
export const { withValues: PROSE_WITH_VALUES, without: PROSE_WITHOUT } = layouts('prose.txt');

/** Sentences and forms by language, with names and addresses of the language. */
export const LAYOUTS_BY_LANGUAGE: Lists = readLists('training/names/layouts/languages.txt');
export const LAYOUTS_OF_EAST_ASIA = readListsOf('training/names/layouts/east-asia.txt', 'zh', 'ja', 'ko');
