import words from '../lists/things.json' with { type: 'json' };
import { isDate } from './calendar.ts';

/**
 * Firms named after a person, or two: far more often meant than anybody of that name. Also works, days and places; and
 * names of columns, fields and headers that somebody is called, too.
 */
const CALLED_LIKE_PERSONS: ReadonlySet<string> = new Set([
  ...words.firms,
  ...words.worksAndDays,
  ...words.places,
  ...words.fields,
]);
const WORD_BEFORE = /(?<!\p{L})\p{L}{1,20} (?:& )?$/u;
const WORD_AFTER = /^ (?:& )?\p{L}{1,20}(?!\p{L})/u;
/** "My name is", "Mr.": after these it is a person all the same. */
const ANNOUNCED =
  /(?:^|[^\p{L}])(?:name(?:['’]s|\sis|d|:)?|called|i\sam|i['’]m|m(?:r|rs|s|x)\.?|miss|dr\.?|prof\.?|dear|hi|hello)\s{1,2}$/iu;

/** Words that, right after a name, make it the name of something else. */
const HEADS: ReadonlySet<string> = new Set(words.heads);
/** Things named after somebody: "Alzheimer's disease", "Dijkstra's algorithm". */
const CALLED_AFTER =
  /^(?:['’]s)?\s(?:disease|syndrome|theorem|lemma|algorithm|equations?|distribution|conjecture|constant|paradox|palsy|test)(?!\p{L})/u;
const NEXT_WORD = /^ (\p{Lu}\p{L}{1,14})(?!\p{L})/u;
const PART_OF_A_NAME =
  /(?:^|[^\p{L}])(?:Treaty|Battle|Siege|City|Town|County|Province|Kingdom|Duchy|Republic|University|Gulf|Isle|Diocese)\sof\s$/u;

/** "X is a design agency that ...": no person is one of these. */
const KINDS_OF_THINGS: ReadonlySet<string> = new Set(words.kindsOfThings);
const DEFINITION = /^ (?:is|was) (?:an?|the) ((?:[\p{L}\d-]{1,20} ){0,6}[\p{L}\d-]{1,20})/u;
const CLAUSE_BEGINS =
  /^(?:of|in|by|from|with|for|at|on|to|and|or|who|that|which|whose|based|founded|directed|located|released|set)$/;
const REACH = 160;
const REACH_BEFORE = 32;

/** The noun of "is a 2017 Polish action film directed by": the last word before the relative clause. */
function isDefinedAsThing(after: string): boolean {
  const words = DEFINITION.exec(after)?.[1]?.split(' ') ?? [];
  const clause = words.findIndex((word) => CLAUSE_BEGINS.test(word));
  const noun = clause === -1 ? words.at(-1) : words[clause - 1];
  return noun !== undefined && KINDS_OF_THINGS.has(noun);
}

/** Decided by what follows; few names are followed by a blank and one of these words, so most need one check. */
function isPartOfThing(after: string): boolean {
  if (after[0] !== ' ' && after[1] !== 's') return false;
  const next = NEXT_WORD.exec(after)?.[1];
  if (next !== undefined) return HEADS.has(next);
  return CALLED_AFTER.test(after) || isDefinedAsThing(after);
}

/** On the list, alone or with the word before or after: only "Carta" of the Magna Carta may have been found. */
function isCalledLikeAPerson(value: string, before: string, after: string): boolean {
  const isOnList = (name: string): boolean =>
    CALLED_LIKE_PERSONS.has(name.toLowerCase().replaceAll(/\s{1,4}/g, ' '));
  if (isOnList(value)) return true;
  if (before.endsWith(' ') && isOnList((WORD_BEFORE.exec(before)?.[0] ?? '') + value)) return true;
  return after[0] === ' ' && isOnList(value + (WORD_AFTER.exec(after)?.[0] ?? ''));
}

/** The label of a commit's trailer, such as "Signed-off-by": the person comes after it. */
const TRAILER = /^\p{Lu}\p{Ll}{1,14}(?:-\p{Ll}{1,8})?-by$/u;

/** Who writes commits and mails without being a person: "CI Bot", "Release Team". */
const ROLE =
  /(?:^|\s)(?:bot|team|admin|administrator|support|actions|maintainers|developers|contributors|authors)$/i;

/** True for a date, a firm, a product, a work or a place that is named like a person, as far as a list or the context shows. */
export function isThing(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - REACH_BEFORE), start);
  const after = text.slice(end, end + REACH);
  const value = text.slice(start, end);
  const isOne =
    isDate(value, before, after) ||
    TRAILER.test(value) ||
    ROLE.test(value) ||
    isCalledLikeAPerson(value, before, after) ||
    (before.endsWith(' of ') && PART_OF_A_NAME.test(before)) ||
    isPartOfThing(after);
  return isOne && !ANNOUNCED.test(before);
}

/** The number of a document or an account with its label: "Licence H572-7420-5534". */
const NUMBER_OF_A_PAPER =
  /^(?:licen[cs]e|passport|permit|visa|policy|account|invoice|order|claim|case|ticket|card|member(?:ship)?|number|no|id)\.?[\s:#]{1,3}(?=\S{0,24}\d)\S{4,24}$/i;

/** True for a labelled number, which a tagger takes for a house number after a street name. */
export const isNumberOfAPaper = (text: string, start: number, end: number): boolean =>
  end - start < 48 && NUMBER_OF_A_PAPER.test(text.slice(start, end));
