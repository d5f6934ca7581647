/** Words around a number that mark it as a phone number. */

const REACH = 56;

/** Names of a phone number: whatever follows them with enough digits is one. */
const NAMES = [
  'phones?|telephones?|tele|tel|tlf|tfn|mobiles?|mob|cell|cells|cellphone|cellular|fax|telefax|landline|hotline|helpline',
  'whatsapp|sms|viber|callback|switchboard|toll-free|tollfree|(?:phone|contact|mobile|cell|work|home|office|direct|main|fax|tel|daytime|evening|emergency)[ _-]?(?:phone|number|no|num|nr|line|contact|tel)|msisdn',
  'telefon|telefonnummer|telefonnr|rufnummer|handy|handynummer|mobil|mobilnummer|fon|durchwahl|téléphone|tél|portable|fixe|teléfono|móvil|celular|telefone|telefono|telemóvel|cellulare|telefoon|mobiel|puhelin|telefonszám|numer telefonu|dzwoń|ruf|rufen|anrufen|appelez|llame|llamar',
].join('|');
/** Verbs: a number belongs to them when it follows at once, or after "on", "at", "to". */
const VERBS =
  'call|calls|calling|called|dial|dialing|dialed|ring|rang|text|texts|texting|texted|reach|reached|contact|contacting|message|messages|messaging|answer|answering|responding|phoned|registered|number|voicemail';

/** Places that have both a number and an address; right before a number they mean the number. */
const PLACES = 'desk|office|work|home|direct|main|reception|front desk|emergency|day|evening|night';

/** Words between the name and its number. */
const BETWEEN = [
  'numbers?|nos?|nr|num|lines?|is|are|was|me|us|him|her|them|back|at|on|to|via|my|your|his|our|their|the|this|of|for|and|or|now|please',
  'home|work|office|primary|secondary|preferred|direct|contact|emergency|daytime|mobile|cell|again|directly|anytime|registered|unter|ist|est|es|au|le|al|der|die|meine|mi|mon|ma',
].join('|');
const LINK = `(?:[^\\p{L}\\p{N}\\n]{1,4}(?:${BETWEEN})(?![\\p{L}\\p{N}])){0,4}`;

const NAMED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${NAMES})(?![\\p{L}\\p{N}])${LINK}(?: ?\\(?[\\p{L} ]{1,16}\\)?(?=:))?[^\\p{L}\\p{N}\\n]{0,6}(?:\\n[ \\t]{0,4})?$|(?<![\\p{L}\\p{N}])(?:${PLACES})[ ]?[:=|]?[ "']{0,2}$`,
  'iu',
);
const CALLED = new RegExp(`(?<![\\p{L}\\p{N}])(?:${VERBS})${LINK}[ :,=]{1,3}$`, 'iu');
/** "name_phone" and "phoneNumber" in code and data. */
const FIELD = /(?:phone|mobile|tel|fax|cell|msisdn)[\w-]{0,12}["'`]{0,1}\s{0,2}[:=>][\s"'`([]{0,4}$/i;

const AFTER =
  /^\s{0,2}[-(,/]?\s?(?:\(?(?:office|fax|mobile|cell|cellphone|phone|home|work|desk|tel|landline|direct|h|m|w|o|c)\)?)(?![\p{L}\p{N}])/iu;

/** The same verbs are used with the numbers of cards, accounts and the like. */
const OF_A_CARD =
  /\b(?:cards?|accounts?|loan|policy|member|order|case|ticket|model|serial|id|pin)\b[^\d]{0,24}$/i;

export type Cue = 'NAMED' | 'CALLED' | null;

/** What the words before and right after a number say. */
export function cueAround(text: string, start: number, end: number): Cue {
  const before = text.slice(Math.max(0, start - REACH), start);
  if (NAMED.test(before) || FIELD.test(before)) return 'NAMED';
  const after = AFTER.exec(text.slice(end, end + 16));
  // A single letter counts only in brackets: "(h)".
  if (after !== null && (after[0].trim().length >= 3 || /\(\w\)/.test(after[0]))) return 'NAMED';
  return CALLED.test(before) && !OF_A_CARD.test(before) ? 'CALLED' : null;
}

/** "788-063-Office": a hyphen and then the word for the number. */
export const AFTER_HYPHEN = /-(?:office|fax|mobile|cell|home|work|desk|phone|tel)(?![\p{L}\p{N}])/iuy;
