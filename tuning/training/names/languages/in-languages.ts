import type { DataFolder } from '../../../samples/data-folder.ts';
import type { SeededRandom } from '../../../samples/random.ts';
import { LAYOUTS_BY_LANGUAGE } from '../layouts/layouts.ts';
import { type ListsOfLanguage, listsOf } from './lists-by-language.ts';
import { createWriter, type TaggedText, type TagType } from './tagged-text.ts';

const SLOT = /\{([A-Z])\}/;
const LETTERS = 'ABCDEFGHIJKLMNOPRSTUVWZ';

interface Filler {
  readonly value: string;
  readonly type?: TagType;
}

function surnameOf({ surnames }: ListsOfLanguage, { pick, below }: SeededRandom): string {
  const kind = below(100);
  if (kind < 8) return `${pick(surnames)}-${pick(surnames)}`;
  return pick(surnames);
}

function fullName(lists: ListsOfLanguage, random: SeededRandom): string {
  const { pick, below } = random;
  const kind = below(100);
  const given = pick(lists.given);
  if (kind < 8) return `${given} ${pick(lists.given)} ${surnameOf(lists, random)}`;
  if (kind < 12) return `${given} ${pick([...LETTERS])}. ${surnameOf(lists, random)}`;
  if (kind < 16) return `${pick([...LETTERS])}. ${surnameOf(lists, random)}`;
  if (kind < 20) return `${given}-${pick(lists.given)} ${surnameOf(lists, random)}`;
  return `${given} ${surnameOf(lists, random)}`;
}

function fillerOf(slot: string, language: string, lists: ListsOfLanguage, random: SeededRandom): Filler {
  const { pick, below, string } = random;
  const surname = surnameOf(lists, random);
  switch (slot) {
    case 'P':
      return { value: fullName(lists, random), type: 'PERSON' };
    case 'F':
      return { value: pick(lists.given), type: 'PERSON' };
    case 'L':
      return { value: surname, type: 'PERSON' };
    case 'R':
      return {
        value: language === 'hu' ? `${surname} ${pick(lists.given)}` : `${surname}, ${pick(lists.given)}`,
        type: 'PERSON',
      };
    case 'U':
      return {
        value:
          below(2) === 0
            ? fullName(lists, random).toUpperCase()
            : `${surname.toUpperCase()} ${pick(lists.given)}`,
        type: 'PERSON',
      };
    case 'A':
      return { value: lists.address(), type: 'ADDRESS' };
    default:
      return { value: `0${string('0123456789', 2)} ${string('0123456789', 7)}` };
  }
}

/** Titles before a surname. */
const HONORIFICS: Readonly<Record<string, readonly string[]>> = {
  cs: ['pan', 'paní', 'Pan', 'pana', 'Ing.', 'MUDr.'],
  da: ['hr.', 'fru', 'Hr.', 'dr.', 'direktør'],
  de: ['Herr', 'Frau', 'Herrn', 'Dr.', 'Hr.', 'Professor'],
  es: ['Sr.', 'Sra.', 'señor', 'señora', 'Dr.', 'Dra.'],
  fi: ['herra', 'rouva', 'tohtori'],
  fr: ['M.', 'Mme', 'Monsieur', 'Madame', 'Dr', 'Mlle'],
  hu: ['dr.', 'Dr.'],
  id: ['Pak', 'Bu', 'Bapak', 'Ibu'],
  it: ['sig.', 'sig.ra', 'signor', 'signora', 'Sig.', 'dott.', 'Dott.ssa'],
  nl: ['dhr.', 'mevr.', 'meneer', 'mevrouw', 'de heer', 'dr.'],
  no: ['herr', 'fru', 'dr.', 'statsråd'],
  pl: ['pan', 'pani', 'Pan', 'Pani', 'dr', 'p.'],
  pt: ['Sr.', 'Sra.', 'senhor', 'senhora', 'Dr.', 'Dra.', 'D.'],
  ro: ['domnul', 'doamna', 'dl', 'dna', 'Dr.'],
  ru: ['господин', 'госпожа', 'г-н', 'г-жа', 'доктор'],
  sv: ['herr', 'fru', 'hr', 'dr', 'doktor'],
  tr: ['Sayın', 'Dr.', 'Bay', 'Bayan'],
  uk: ['пан', 'пані', 'пана', 'доктор'],
};

/** A replacement for a name: usually of the same form, otherwise an honorific with a surname. */
function otherName(value: string, language: string, random: SeededRandom, lists: ListsOfLanguage) {
  const { below, pick } = random;
  const kind = below(100);
  const honorifics = HONORIFICS[language];
  if (kind < 15 && honorifics !== undefined) {
    return { before: `${pick(honorifics)} `, name: surnameOf(lists, random) };
  }
  if (value.includes(' ') && kind < 80) return { before: '', name: fullName(lists, random) };
  return { before: '', name: kind < 55 ? pick(lists.given) : surnameOf(lists, random) };
}

/** Sentences and forms in many languages, filled in with names and addresses of the language. */
export function textsInLanguages(
  data: DataFolder,
  random: SeededRandom,
  times: number,
): readonly TaggedText[] {
  const fill = (layout: string, language: string): TaggedText => {
    const lists = listsOf(data, language);
    const writer = createWriter();
    let rest = layout;
    for (let match = SLOT.exec(rest); match !== null; match = SLOT.exec(rest)) {
      writer.add(rest.slice(0, match.index));
      const { value, type } = fillerOf(match[1]!, language, lists, random);
      writer.add(value, type);
      rest = rest.slice(match.index + match[0].length);
    }
    writer.add(rest);
    return { ...writer.finish(), isWeak: true, areLabelled: true };
  };
  return Object.entries(LAYOUTS_BY_LANGUAGE).flatMap(([language, layouts]) =>
    Array.from({ length: times }, () => layouts.map((layout) => fill(layout, language))).flat(),
  );
}

/** The same text with its persons replaced by other names of the language. */
export function withOtherNames(
  data: DataFolder,
  language: string,
  one: TaggedText,
  random: SeededRandom,
): TaggedText {
  const lists = listsOf(data, language);
  const writer = createWriter();
  let from = 0;
  for (const { type, start, end } of [...one.spans].sort((a, b) => a.start - b.start)) {
    if (start < from) continue;
    writer.add(one.text.slice(from, start));
    const value = one.text.slice(start, end);
    const { before, name } =
      type === 'PERSON' ? otherName(value, language, random, lists) : { before: '', name: value };
    writer.add(before);
    writer.add(name, type);
    from = end;
  }
  writer.add(one.text.slice(from));
  return { ...writer.finish(), isWeak: true, areLabelled: true };
}
