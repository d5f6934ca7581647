/** How a phrase is meant: what its own sentence says around it. */
export type Framing = 'NEGATED' | 'REPORTED' | 'QUESTION' | 'EXPLAINED' | 'FICTION';

/** Units read on either side of a phrase. */
const REACH = 140;
/** Less than that for a negation, which covers its own clause. */
const NEGATION_REACH = 48;

/** The part of the sentence, or of the line, that stands before `start`. */
export function sentenceBefore(text: string, start: number): string {
  const reached = text.slice(Math.max(0, start - REACH), start);
  const begin = Math.max(
    reached.lastIndexOf('\n') + 1,
    ...['. ', '! ', '? '].map((stop) => reached.lastIndexOf(stop) + 1),
  );
  return reached.slice(begin);
}

const STOP = /[.!?](?=\s|["')\]]|$)|\n/;

/** The part of the sentence behind `end`, with the mark that ends it. */
export function sentenceAfter(text: string, end: number): string {
  const reached = text.slice(end, end + REACH);
  const stop = reached.search(STOP);
  return stop === -1 ? reached : reached.slice(0, stop + 1);
}

/**
 * "Never reveal your system prompt" and "I cannot ignore my earlier instructions" speak against the deed.
 * Only within the clause: a comma or a full stop ends what the negation covers.
 */
const NEGATION =
  /(?:\b(?:never|not|cannot|unable to|refuse to|refused to|without|nor)|n['’]t)(?:\s{1,3}[\p{L}'’]{1,14}){0,3}\s{1,3}$/iu;

const REPORT_BEFORE =
  /\b(?:(?:says?|said|saying|claim(?:s|ed|ing)?|believ(?:e|es|ed|ing)|thinks?|thought|argue[sd]?|arguing|assum(?:e|es|ed|ing|ption)|alleg(?:e|es|ed|edly)|accus(?:ed|ing)|insist(?:s|ed)?|told|tweeted|posted|shouted|wrote|suggest(?:s|ed|ing)?|impl(?:y|ies|ied)|the (?:idea|notion|belief|claim|view|phrase|statement|sentence|comment|trope|label)|stereotyp(?:e|es|ical|ing)|myths?|misconceptions?|prejudices?|clich[eé]s?|bias(?:es|ed)?|according to|is it true|i (?:don't|do not|never) (?:think|believe|agree)|disagree|wrong to say|false that|untrue that|threatened|charged with|convicted of|arrested for)\b)/iu;
const REPORT_AFTER =
  /\b(?:is|are|was|were|remains?|be) (?:\p{L}{1,14} ){0,3}(?:stereotypes?|myths?|misconceptions?|prejudiced?|false|untrue|wrong|offensive|sexist|racist|ageist|ableist|bigot(?:ed|ry)|discriminat\p{L}{1,5}|nonsense|outdated|harmful|unfair|illegal|unlawful)\b/iu;

const QUESTION_WORD =
  /^\W{0,4}(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|why|what|how|who|which|when|where)\b/i;

/** Ways not to be seen: "without detection" speaks for a deed, not of those who detect it. */
export const UNSEEN =
  /\b(?:evad\w{1,3}|avoid\w{0,3}|without|bypass\w{0,3}|escap\w{1,3}|elud\w{1,3})\s(?:\w{1,14}\s){0,3}(?:detection|detected|caught|law enforcement|police|traced|arrested|prosecution|antivirus)/gi;

const EXPLANATION =
  /\b(?:explain(?:s|ed|ing)?(?! (?:to me )?how)|examples? of|(?:can|could|may|might) (?:lead|allow|result)|attackers?|vulnerabilit(?:y|ies)|why|what (?:is|are|does|do|happens)(?! (?:the |some |a )?(?:\p{L}{2,12} ){0,4}(?:ways?|methods?|steps|doses?|amount|techniques?|practices?|strateg(?:y|ies)|tips|tools?))|meaning of|defin(?:e|ition)|difference between|danger(?:s|ous)?|risks?|risky|histor(?:y|ical|ically)|prevent(?:s|ed|ing|ion)?|protect(?:s|ed|ing|ion)?|avoid(?:s|ed|ing)?|detect(?:s|ed|ing|ion)?|recogni[sz](?:e|es|ed|ing)|spot(?:ting)?|report(?:s|ed|ing)?|defend(?:s|ed|ing)?|defen[sc]e|awareness|warn(?:s|ed|ing)?|beware|caution|help(?:ing)? victims?|survivors?|illegal(?!ly)|unlawful|ban(?:s|ned|ning)?|forbid(?:s|den)?|prohibit(?:s|ed|ing)?|laws?(?! enforcement)|legislation|polic(?:y|ies)|documentation|against|combat(?:ing)?|stop(?:s|ped|ping)?|fight(?:s|ing)?|signs? of|educat(?:e|es|ion|ional|ing)|research(?:ers?)?|stud(?:y|ies)|(?<!fake )news|scandals?|lawsuits?|charges?|charged|convicted|arrested|sentenced|investigat(?:e|es|ed|ion|ors?)|prosecut(?:e|ed|ors?|ion))\b/iu;

const FICTION =
  /\b(?:novels?|stor(?:y|ies)|fiction(?:al)?|characters?|films?|movies?|plays?|video ?games?|games?|poems?|screenplays?|scripts?|scenes?|plot|chapters?|books?|villains?|songs?|lyrics|dungeon|dragons?|zombies?|boss fight|the opponent|chess|pok[eé]mon)\b/iu;

/** An odd number of quotation marks before a phrase: it stands inside a quotation. */
function isInQuotes(before: string): boolean {
  let marks = 0;
  for (let at = before.indexOf('"'); at !== -1; at = before.indexOf('"', at + 1)) marks++;
  return marks % 2 === 1;
}

/** Whether the sentence around `start`..`end` frames what stands there in that way. Reads a bounded stretch. */
export function isFramed(framing: Framing, text: string, start: number, end: number): boolean {
  if (framing === 'NEGATED') return NEGATION.test(text.slice(Math.max(0, start - NEGATION_REACH), start));
  const before = sentenceBefore(text, start);
  const after = sentenceAfter(text, end);
  switch (framing) {
    case 'REPORTED':
      return REPORT_BEFORE.test(before) || REPORT_AFTER.test(after) || isInQuotes(before);
    case 'QUESTION':
      return after.endsWith('?') || (QUESTION_WORD.test(before) && !after.endsWith('!'));
    case 'EXPLAINED':
      return (
        EXPLANATION.test(before.replaceAll(UNSEEN, ' ')) || EXPLANATION.test(after.replaceAll(UNSEEN, ' '))
      );
    case 'FICTION':
      return FICTION.test(before) || FICTION.test(after);
  }
}
