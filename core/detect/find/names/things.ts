import words from '../lists/things.json' with { type: 'json' };
import { isDate } from './calendar.ts';

/**
 * Companies named after people, which are meant far more often than people of that name. Also works, days and places,
 * and names of columns, fields and headers that are also people's names.
 */
const NAMESAKES: ReadonlySet<string> = new Set([
  ...words.firms,
  ...words.worksAndDays,
  ...words.places,
  ...words.fields,
]);
const WORD_BEFORE = /(?<!\p{L})\p{L}{1,20} (?:& )?$/u;
const WORD_AFTER = /^ (?:& )?\p{L}{1,20}(?!\p{L})/u;
/** "My name is", "Mr.": a name after these is a person regardless. */
const ANNOUNCED =
  /(?:^|[^\p{L}])(?:name(?:['’]s|\sis|d|:)?|called|i\sam|i['’]m|m(?:r|rs|s|x)\.?|miss|dr\.?|prof\.?|dear|hi|hello)\s{1,2}$/iu;

/** Words that, right after a name, make it the name of something else. */
const HEADS: ReadonlySet<string> = new Set(words.heads);
/** Things named after people: "Alzheimer's disease", "Dijkstra's algorithm". */
const NAMED_AFTER =
  /^(?:['’]s)?\s(?:disease|syndrome|theorem|lemma|algorithm|equations?|distribution|conjecture|constant|paradox|palsy|test)(?!\p{L})/u;
const NEXT_WORD = /^ (\p{Lu}\p{L}{1,14})(?!\p{L})/u;
const PART_OF_A_NAME =
  /(?:^|[^\p{L}])(?:Treaty|Battle|Siege|City|Town|County|Province|Kingdom|Duchy|Republic|University|Gulf|Isle|Diocese)\sof\s$/u;

/** Nouns in "X is a design agency that ..." that never describe a person. */
const KINDS_OF_THINGS: ReadonlySet<string> = new Set(words.kindsOfThings);
const DEFINITION = /^ (?:is|was) (?:an?|the) ((?:[\p{L}\d-]{1,20} ){0,6}[\p{L}\d-]{1,20})/u;
const CLAUSE_STARTS =
  /^(?:of|in|by|from|with|for|at|on|to|and|or|who|that|which|whose|based|founded|directed|located|released|set)$/;
const REACH = 160;
const REACH_BEFORE = 32;

/** The noun of "is a 2017 Polish action film directed by": the last word before the relative clause. */
function isDefinedAsThing(after: string): boolean {
  const words = DEFINITION.exec(after)?.[1]?.split(' ') ?? [];
  const clause = words.findIndex((word) => CLAUSE_STARTS.test(word));
  const noun = clause === -1 ? words.at(-1) : words[clause - 1];
  return noun !== undefined && KINDS_OF_THINGS.has(noun);
}

/**
 * Decides by the text after the name. Most names fail the first check: few are followed by a blank and one of these
 * words.
 */
function isPartOfThing(after: string): boolean {
  if (after[0] !== ' ' && after[1] !== 's') return false;
  const next = NEXT_WORD.exec(after)?.[1];
  if (next !== undefined) return HEADS.has(next);
  return NAMED_AFTER.test(after) || isDefinedAsThing(after);
}

/**
 * Whether the value is on the list, alone or with an adjacent word, because only "Carta" of Magna Carta may be tagged.
 */
function isNamesake(value: string, before: string, after: string): boolean {
  const isOnList = (name: string): boolean => NAMESAKES.has(name.toLowerCase().replaceAll(/\s{1,4}/g, ' '));
  if (isOnList(value)) return true;
  if (before.endsWith(' ') && isOnList((WORD_BEFORE.exec(before)?.[0] ?? '') + value)) return true;
  return after[0] === ' ' && isOnList(value + (WORD_AFTER.exec(after)?.[0] ?? ''));
}

/** The label of a commit trailer, such as "Signed-off-by": a person follows it. */
const TRAILER = /^\p{Lu}\p{Ll}{1,14}(?:-\p{Ll}{1,8})?-by$/u;

/** Authors of commits and emails that are not people: "CI Bot", "Release Team". */
const ROLE =
  /(?:^|\s)(?:bot|team|admin|administrator|support|actions|maintainers|developers|contributors|authors)$/i;

/**
 * Whether this is a date, company, product, work or place with a person's name, as far as a list or the context shows.
 */
export function isThing(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - REACH_BEFORE), start);
  const after = text.slice(end, end + REACH);
  const value = text.slice(start, end);
  const isOne =
    isDate(value, before, after) ||
    TRAILER.test(value) ||
    ROLE.test(value) ||
    isNamesake(value, before, after) ||
    (before.endsWith(' of ') && PART_OF_A_NAME.test(before)) ||
    isPartOfThing(after);
  return isOne && !ANNOUNCED.test(before);
}

/** A document or account number with its label: "Licence H572-7420-5534". */
const DOCUMENT_NUMBER =
  /^(?:licen[cs]e|passport|permit|visa|policy|account|invoice|order|claim|case|ticket|card|member(?:ship)?|number|no|id)\.?[\s:#]{1,3}(?=\S{0,24}\d)\S{4,24}$/i;

/** Whether this is a labelled number, which the tagger mistakes for a house number after a street name. */
export const isDocumentNumber = (text: string, start: number, end: number): boolean =>
  end - start < 48 && DOCUMENT_NUMBER.test(text.slice(start, end));
