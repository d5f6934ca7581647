import words from '../lists/phone-cues.json' with { type: 'json' };

/** Words around a number that mark it as a phone number. */

const REACH = 56;

/** Nouns for a phone number: a following number with enough digits is one. */
const NAMES = [
  'phones?|telephones?|tele|tel|tlf|tfn|mobiles?|mob|cell|cells|cellphone|cellular|fax|telefax|landline|hotline|helpline',
  'whatsapp|sms|viber|callback|switchboard|toll-free|tollfree|(?:phone|contact|mobile|cell|work|home|office|direct|main|fax|tel|daytime|evening|emergency)[ _-]?(?:phone|number|no|num|nr|line|contact|tel)|msisdn',
  'telefon|telefonnummer|telefonnr|rufnummer|handy|handynummer|mobil|mobilnummer|fon|durchwahl|téléphone|tél|portable|fixe|teléfono|móvil|celular|telefone|telefono|telemóvel|cellulare|telefoon|mobiel|puhelin|telefonszám|numer telefonu|dzwoń|ruf|rufen|anrufen|appelez|llame|llamar|llámame|chiamami|chiamare|zadzwoń|zadzwonić|komórka|komórkowy|soita',
  '(?:mi|mon|mio|meu|mein|meine|mijn|min|mitt|mój|moj) (?:número|numero|numéro|nummer|numer)',
].join('|');
/** Verbs: they refer to a number directly after them, or after "on", "at", "to". */
const VERBS =
  'call|calls|calling|called|dial|dialing|dialed|ring|rang|text|texts|texting|texted|reach|reached|contact|contacting|message|messages|messaging|answer|answering|responding|phoned|registered|number|voicemail';

/** Places that have both a phone number and an address; right before a number, they mean the phone number. */
const PLACES = 'desk|office|work|home|direct|main|reception|front desk|emergency|day|evening|night';

/** Words allowed between a cue and its number. */
const BETWEEN = [
  'numbers?|nos?|nr|num|lines?|is|are|was|me|us|him|her|them|back|at|on|to|via|my|your|his|our|their|the|this|of|for|and|or|now|please',
  'home|work|office|primary|secondary|preferred|direct|contact|emergency|daytime|mobile|cell|again|directly|anytime|registered|unter|ist|est|es|au|le|al|der|die|meine|mi|mon|ma',
].join('|');
const LINK = `(?:[^\\p{L}\\p{N}\\n]{1,4}(?:${BETWEEN})(?![\\p{L}\\p{N}])){0,4}`;

const NAMED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${NAMES})(?![\\p{L}\\p{N}])${LINK}(?: ?\\(?[\\p{L} ]{1,16}\\)?(?=:))?[^\\p{L}\\p{N}\\n]{0,6}(?:\\n[ \\t]{0,4})?$`,
  'iu',
);
/** A place, and the mark that makes it a label. */
const PLACE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${PLACES})[ ]?([:=|]?)[ "']{0,2}$`, 'iu');
const CALLED = new RegExp(`(?<![\\p{L}\\p{N}])(?:${VERBS})${LINK}[ :,=]{1,3}$`, 'iu');
const FIELD_WORDS = ['phone', 'telephone', 'mobile', 'tel', 'fax', 'telefax', 'cell', 'cellphone', 'msisdn'];
const capitalised = (word: string): string => word[0]!.toUpperCase() + word.slice(1);
const inAnyCase = (words: readonly string[]): string =>
  words.flatMap((word) => [word, capitalised(word), word.toUpperCase()]).join('|');
const FIELD_PARTS = inAnyCase(words.fieldParts);
/** "name_phone", "phoneNumber" and "homephone" in code and data; not "hotel", "telemetry" or "phone_id". */
const FIELD = new RegExp(
  `(?:(?<![A-Za-z])(?:${inAnyCase(FIELD_WORDS)})|(?<=[a-z])(?:${FIELD_WORDS.map(capitalised).join('|')})|(?<!micro|head|smart|mega|saxo|ear)phone)s?(?:[_-]?(?:${FIELD_PARTS}|\\d{1,3}|[eE]164)){0,2}["'\`]?\\s{0,2}[:=>][\\s"'\`([]{0,4}$`,
);

const AFTER =
  /^\s{0,2}[-(,/]?\s?(?:\(?(?:office|fax|mobile|cell|cellphone|phone|home|work|desk|tel|landline|direct|h|m|w|o|c)\)?)(?![\p{L}\p{N}])/iu;

/** The same verbs also occur with card and account numbers and the like. */
const OF_A_CARD =
  /\b(?:cards?|accounts?|loan|policy|member|order|case|ticket|model|serial|id|pin)\b[^\d]{0,24}$/i;

/** Words that make digits without separators a phone number: the verb, the receiver, the owner. */
const DIALLED = 'call|calling|called|dial|dialing|dialed|ring|rang|text|texting|texted|phoned|voicemail';
const REACHED =
  'reach|reached|contact|contacting|message|messages|messaging|answer|answering|responding|registered';
const RECEIVER = 'me|us|him|her|them|you|at|on|via|back|my|this|to|with|under';
const OWNER =
  "my|your|his|her|their|our|whose|new|old|same|current|\\p{L}{1,16}['’]s|(?:at|on|to|via|call|dial|text|ring)(?: (?:the|this|that|a))?";
const INDICATORS = [
  `(?:${DIALLED})${LINK}`,
  `(?:${REACHED})(?=[^\\p{L}\\p{N}\\n]{1,4}(?:${RECEIVER})(?![\\p{L}\\p{N}]))${LINK}`,
  'contact(?=:)',
  `(?:${OWNER}) number${LINK}`,
].join('|');
const TELEPHONE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${INDICATORS})[ :,=]{1,3}$`, 'iu');

/**
 * Whether the words before digits without separators clearly indicate a phone number; an arbitrary noun or verb does
 * not.
 */
export const indicatesPhone = (text: string, start: number): boolean =>
  TELEPHONE.test(text.slice(Math.max(0, start - REACH), start));

export type Cue = 'NAMED' | 'CALLED' | null;

/**
 * A single letter counts only in brackets: "(h)". After digits without separators, nothing may follow the word:
 * "3074185296 home page views" counts views.
 */
function isNameAfter(name: string, text: string, start: number, end: number): boolean {
  const isWord = name.trim().length >= 3 || /\(\w\)/.test(name);
  if (!isWord || /\D/.test(text.slice(start, end))) return isWord;
  return /^\s{0,2}(?:[),;.|\n]|$)/.test(text.slice(end + name.length, end + name.length + 4));
}

/** The cue in the words before and right after a number. */
export function cueAround(text: string, start: number, end: number): Cue {
  const before = text.slice(Math.max(0, start - REACH), start);
  const isBare = !/\D/.test(text.slice(start, end));
  if (NAMED.test(before) || FIELD.test(before)) return 'NAMED';
  const place = PLACE.exec(before);
  // "worker main 3074185296" is a log line; "main: 3074185296" is a contact.
  if (place !== null && !(isBare && place[1] === '')) return 'NAMED';
  const after = AFTER.exec(text.slice(end, end + 16));
  if (after !== null && isNameAfter(after[0], text, start, end)) return 'NAMED';
  return CALLED.test(before) && !OF_A_CARD.test(before) ? 'CALLED' : null;
}

/** "788-063-Office": a hyphen, then the word for the number. */
export const AFTER_HYPHEN = /-(?:office|fax|mobile|cell|home|work|desk|phone|tel)(?![\p{L}\p{N}])/iuy;
