import { foldedForLiterals } from './patterns/literals.ts';
import { type Marker, type Marks, markerOf } from './prefilter/marks.ts';
import { prefilteredAt } from './prefilter/prefilter.ts';
import { NONE } from './prefilter/reader.ts';

/**
 * How the words around a phrase in its sentence change its meaning. In a long sentence, "told" or "story" may belong to
 * another clause, so for speech addressed to someone only nearby words count.
 */
export type AssertionContext =
  | 'NEGATED'
  | 'REPORTED'
  | 'REPORTED_CLOSE'
  | 'QUESTION'
  | 'EXPLAINED'
  | 'FICTION'
  | 'FICTION_CLOSE';

/** Code units read on either side of a phrase. */
const REACH = 140;
/** A shorter reach for a negation, which covers only its own clause. */
const NEGATION_REACH = 48;

/**
 * "Never reveal your system prompt" and "I cannot ignore my earlier instructions" negate the act. A comma or a full
 * stop ends the scope of a negation.
 */
const negations = markerOf(/(?:\b(?:never|not|cannot|unable to|refuse to|refused to|without|nor)|n['’]t)\b/i);
const COVERED = /^(?:\s{1,3}[\p{L}'’]{1,14}){0,3}\s{1,3}$/u;

/** Maximum distance between a reporting verb and its content: "he said that he", "charged with threats: ". */
const REPORT_REACH = 48;
const REPORTING = /^(?:\s{1,3}[\p{L}'’]{1,14}){0,5}[,:]?\s{1,3}["'(]?$/u;
/** How far before and after a phrase a word for fiction still refers to it. */
const [FICTION_BEFORE, FICTION_AFTER] = [72, 40];

const reportsBefore = markerOf(
  /\b(?:(?:says?|said|saying|claim(?:s|ed|ing)?|believ(?:e|es|ed|ing)|thinks?|thought|argue[sd]?|arguing|assum(?:e|es|ed|ing|ption)|alleg(?:e|es|ed|edly)|accus(?:ed|ing)|insist(?:s|ed)?|told|tweeted|posted|shouted|wrote|suggest(?:s|ed|ing)?|impl(?:y|ies|ied)|the (?:idea|notion|belief|claim|view|phrase|statement|sentence|comment|trope|label)|stereotyp(?:e|es|ical|ing)|myths?|misconceptions?|prejudices?|clich[eé]s?|bias(?:es|ed)?|according to|is it true|i (?:don't|do not|never) (?:think|believe|agree)|disagree|wrong to say|false that|untrue that|threatened|charged with|convicted of|arrested for)\b)/i,
);
const reportsAfter = markerOf(
  /\b(?:is|are|was|were|remains?|be) (?:\p{L}{1,14} ){0,3}(?:stereotypes?|myths?|misconceptions?|prejudiced?|false|untrue|wrong|offensive|sexist|racist|ageist|ableist|bigot(?:ed|ry)|discriminat\p{L}{1,5}|nonsense|outdated|harmful|unfair|illegal|unlawful)\b/iu,
);

const asksAt = prefilteredAt(
  /\W{0,4}(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|why|what|how|who|which|when|where)\b/iy,
);

/** First words of phrases about staying undetected: "without detection" indicates an act, not the detection of one. */
const stealthHeads = markerOf(
  /\b(?:evad\w{1,3}|avoid\w{0,3}|without|bypass\w{0,3}|escap\w{1,3}|elud\w{1,3})\b/i,
);
const stealth = markerOf(
  /\b(?:evad\w{1,3}|avoid\w{0,3}|without|bypass\w{0,3}|escap\w{1,3}|elud\w{1,3})\s(?:\w{1,14}\s){0,3}(?:detection|detected|caught|law enforcement|police|traced|arrested|prosecution|antivirus)/i,
);
const STEALTH_REACH = 80;

const explanations = markerOf(
  /\b(?:explain(?:s|ed|ing)?|examples? of|(?:can|could|may|might) (?:lead|allow|result)|attackers?|vulnerabilit(?:y|ies)|why|what (?:is|are|does|do|happens)|meaning of|defin(?:e|ition)|difference between|danger(?:s|ous)?|risks?|risky|histor(?:y|ical|ically)|prevent(?:s|ed|ing|ion)?|protect(?:s|ed|ing|ion)?|avoid(?:s|ed|ing)?|detect(?:s|ed|ing|ion)?|recogni[sz](?:e|es|ed|ing)|spot(?:ting)?|report(?:s|ed|ing)?|defend(?:s|ed|ing)?|defen[sc]e|awareness|warn(?:s|ed|ing)?|beware|caution|help(?:ing)? victims?|survivors?|illegal|unlawful|ban(?:s|ned|ning)?|forbid(?:s|den)?|prohibit(?:s|ed|ing)?|laws?|legislation|polic(?:y|ies)|documentation|against|combat(?:ing)?|stop(?:s|ped|ping)?|fight(?:s|ing)?|signs? of|educat(?:e|es|ion|ional|ing)|research(?:ers?)?|stud(?:y|ies)|news|scandals?|lawsuits?|charges?|charged|convicted|arrested|sentenced|investigat(?:e|es|ed|ion|ors?)|prosecut(?:e|ed|ors?|ion))\b/i,
  // "Explain how to" and "what are the best ways to" request the act itself.
  /(?<=explain(?:s|ed|ing)?) (?:to me )?how|(?<=what (?:is|are|does|do|happens)) (?:the |some |a )?(?:[A-Za-z\u00c0-\u024f]{2,12} ){0,4}(?:ways?|methods?|steps|doses?|amount|techniques?|practices?|strateg(?:y|ies)|tips|tools?)|(?<=laws?) enforcement|(?<=fake news)/iy,
);

const fictions = markerOf(
  /\b(?:novels?|stor(?:y|ies)|fiction(?:al)?|characters?|films?|movies?|plays?|video ?games?|games?|poems?|screenplays?|scripts?|scenes?|plot|chapters?|books?|villains?|songs?|lyrics|dungeon|dragons?|zombies?|boss fight|the opponent|chess|pok[eé]mon)\b/i,
  // "Film it", "my side of the story", "stop playing games with me" are not fiction.
  /(?<=\bfilm) (?:it|you|him|her|them|this|everything)\b|(?<=\bside of (?:the|my|his|her|this) story)|(?<=\bplay) (?:with|around|dumb|stupid)\b|(?<=\bgames?) with (?:me|us|him|her|my)\b/iy,
);

/** The assertion contexts in the sentences of a text. Each marker reads every part of the text once. */
export interface Sentences {
  marksOf(marker: Marker): Marks;
  isInContext(context: AssertionContext, start: number, end: number): boolean;
  /** Whether a marked word ends after `from`, up to `until`. */
  says(marker: Marker, from: number, until: number): boolean;
  /** Whether a marked word occurs in the sentence before `start`. */
  saysBefore(marker: Marker, start: number): boolean;
  /** Whether a marked word occurs in the sentence, including the phrase itself. */
  saysWithin(marker: Marker, start: number, end: number): boolean;
  /** Whether a marked word occurs around the phrase that is not part of a phrase about staying undetected. */
  saysOpenly(marker: Marker, start: number, end: number): boolean;
}

const [LINE_FEED, SPACE] = [10, 32];
const isStop = (unit: number): boolean => unit === 46 || unit === 33 || unit === 63;
const CLOSES = /[\s"')\]]/;

/** Start of the sentence, or line, that contains `start`. Reads a bounded number of code units. */
function sentenceStart(text: string, start: number): number {
  const reached = Math.max(0, start - REACH);
  for (let at = start - 1; at >= reached; at--) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED) return at + 1;
    if (unit === SPACE && at > reached && isStop(text.charCodeAt(at - 1))) return at;
  }
  return reached;
}

/** End of the sentence, after its punctuation mark. */
function sentenceEnd(text: string, end: number): number {
  const reached = Math.min(text.length, end + REACH);
  for (let at = end; at < reached; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED) return at + 1;
    if (isStop(unit) && (at + 1 === reached || CLOSES.test(text[at + 1]!))) return at + 1;
  }
  return reached;
}

/** The part of the sentence, or line, before `start`. */
export const sentenceBefore = (text: string, start: number): string =>
  text.slice(sentenceStart(text, start), start);

/** The part of the sentence after `end`, including the mark that ends it. */
export const sentenceAfter = (text: string, end: number): string => text.slice(end, sentenceEnd(text, end));

/** A phrase is inside a quotation if an odd number of quotation marks precedes it. */
function isInQuotes(text: string, from: number, start: number): boolean {
  let marks = 0;
  for (let at = from; at < start; at++) if (text.charCodeAt(at) === 34) marks++;
  return marks % 2 === 1;
}

function asks(text: string, from: number, start: number): boolean {
  const match = asksAt(text, from);
  return match !== null && from + match[0].length <= start;
}

/** Whether the word that ends at `end` is part of a phrase such as "avoid being caught". */
function isStealth(marksOf: (marker: Marker) => Marks, end: number, from: number, until: number): boolean {
  const whole = marksOf(stealth).first(end - 1, Math.min(end + STEALTH_REACH, until));
  if (whole === NONE) return false;
  const head = marksOf(stealthHeads).last(from, whole);
  return head !== NONE && head <= end;
}

/** Whether the marker occurs in that part of a sentence outside phrases such as "avoid being caught". */
function isOpenly(marksOf: (marker: Marker) => Marks, marker: Marker, from: number, until: number): boolean {
  const marks = marksOf(marker);
  for (let end = marks.first(from, until); end !== NONE; end = marks.first(end, until)) {
    if (!isStealth(marksOf, end, from, until)) return true;
  }
  return false;
}

export function sentencesOf(text: string): Sentences {
  const known = new Map<Marker, Marks>();
  let foldedText: string | undefined;
  const folded = (): string => {
    foldedText ??= foldedForLiterals(text.toLowerCase());
    return foldedText;
  };
  const marksOf = (marker: Marker): Marks => {
    let marks = known.get(marker);
    if (marks === undefined) {
      marks = marker(text, folded);
      known.set(marker, marks);
    }
    return marks;
  };
  const says = (marker: Marker, from: number, until: number): boolean =>
    marksOf(marker).first(from, until) !== NONE;
  const isOpenlyIn = (marker: Marker, from: number, until: number): boolean =>
    isOpenly(marksOf, marker, from, until);
  const saysOpenly = (marker: Marker, start: number, end: number): boolean =>
    isOpenlyIn(marker, sentenceStart(text, start), start) || isOpenlyIn(marker, end, sentenceEnd(text, end));
  const isNegated = (start: number): boolean => {
    const end = marksOf(negations).last(Math.max(0, start - NEGATION_REACH), start);
    return end !== NONE && COVERED.test(text.slice(end, start));
  };
  const isReportedClose = (start: number): boolean => {
    const end = marksOf(reportsBefore).last(Math.max(0, start - REPORT_REACH), start);
    if (end !== NONE && REPORTING.test(text.slice(end, start))) return true;
    return isInQuotes(text, sentenceStart(text, start), start);
  };
  const isInContext = (context: AssertionContext, start: number, end: number): boolean => {
    if (context === 'NEGATED') return isNegated(start);
    if (context === 'EXPLAINED') return saysOpenly(explanations, start, end);
    if (context === 'REPORTED_CLOSE') return isReportedClose(start);
    const from = sentenceStart(text, start);
    const stop = sentenceEnd(text, end);
    const mark = stop > end ? text[stop - 1] : '';
    switch (context) {
      case 'REPORTED':
        return (
          says(reportsBefore, from, start) || says(reportsAfter, end, stop) || isInQuotes(text, from, start)
        );
      case 'QUESTION':
        return mark === '?' || (mark !== '!' && asks(text, from, start));
      case 'FICTION':
        return says(fictions, from, start) || says(fictions, end, stop);
      case 'FICTION_CLOSE':
        return (
          says(fictions, Math.max(from, start - FICTION_BEFORE), start) ||
          says(fictions, end, Math.min(stop, end + FICTION_AFTER))
        );
    }
  };
  return {
    marksOf,
    isInContext,
    says,
    saysBefore: (marker, start) => says(marker, sentenceStart(text, start), start),
    saysWithin: (marker, start, end) => says(marker, sentenceStart(text, start), sentenceEnd(text, end)),
    saysOpenly,
  };
}
