import { skipWhile } from '../../read/characters.ts';
import { sentenceBefore } from '../assertion-context.ts';
import type { Candidate, TermDetector } from '../detector.ts';

/** No cited paper can be from a later year. */
const LATEST_YEAR = 2030;
/** Confidence for a reference that violates its own format. */
const PROVEN = 0.6;
const HINT = 0.45;

interface Fault {
  readonly end: number;
  readonly confidence: number;
}

const isIsbnUnit = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || unit === 45 || unit === 32 || unit === 88 || unit === 120;

/**
 * ISO 2108: ten digits with weights 10 to 1 modulo 11 (X is ten), or thirteen digits with weights 1 and 3 modulo 10.
 */
function isValidIsbn(digits: string): boolean {
  if (digits.length === 10) {
    let sum = 0;
    for (let i = 0; i < 10; i++) sum += (10 - i) * (digits[i] === 'X' ? 10 : Number(digits[i]));
    return sum % 11 === 0;
  }
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0 && /^97[89]/.test(digits);
}

const ISBN_INTRO = /isbn(?:-?1[03])?(?:\s(?:is|number|no\.?))?\s{0,2}[:#]?\s{0,2}(?=\d)/iy;

function isbnFault(text: string, start: number): Fault | null {
  ISBN_INTRO.lastIndex = start;
  const intro = ISBN_INTRO.exec(text);
  if (intro === null) return null;
  const from = start + intro[0].length;
  const raw = text.slice(from, skipWhile(text, from, from + 20, isIsbnUnit)).trimEnd();
  const digits = /^(?:\d[ -]?){9,12}[\dXx]/.exec(raw)?.[0] ?? '';
  const plain = digits.replaceAll(/[ -]/g, '').toUpperCase();
  if (plain.length !== 10 && plain.length !== 13) return null;
  if (plain.length === 13 && plain.endsWith('X')) return null;
  return isValidIsbn(plain) ? null : { end: from + digits.length, confidence: PROVEN };
}

const DOI_INTRO = /(?:doi\s{0,2}[:=]\s{0,2}(?:https?:\/\/)?(?:dx\.)?(?:doi\.org\/)?|doi\.org\/)(?=[\w./])/iy;

/** ISO 26324: "10.", a registrant code of four to nine digits, a slash and a suffix. */
function doiFault(text: string, start: number): Fault | null {
  DOI_INTRO.lastIndex = start;
  const intro = DOI_INTRO.exec(text);
  if (intro === null) return null;
  const from = start + intro[0].length;
  const end = skipWhile(
    text,
    from,
    from + 100,
    (unit) => unit > 32 && unit !== 34 && unit !== 60 && unit !== 62 && unit !== 96,
  );
  const name = text.slice(from, end).replace(/[).,;\]]+$/, '');
  if (!/^\d|^10\.|^x/i.test(name)) return null;
  if (!/^10\.\d{4,9}(?:\.\d{1,9}){0,3}\/\S/.test(name))
    return { end: from + name.length, confidence: PROVEN };
  const prefix = /^10\.(0\d*|1234|12345|9999\d*|[0-9]{6,})\//.test(name);
  const suffix =
    /\/(?:x{3,}|0{5,}|1234(?:5\d*)?|(?:fake|example|placeholder|abc(?:def)?123|sample|test)\b)/i.test(name);
  return prefix || suffix ? { end: from + name.length, confidence: HINT } : null;
}

const ARXIV =
  /arxiv(?:\.org\/(?:abs|pdf)\/|\s{0,2}:\s{0,2}|\s(?:preprint\s)?(?:arxiv:)?\s{0,2})(\d{2})(\d{2})\.(\d{3,6})(?!\d)/iy;

/** arXiv identifiers since April 2007: two-digit year, month, and a number of four digits (five since 2015). */
function arxivFault(text: string, start: number): Fault | null {
  ARXIV.lastIndex = start;
  const match = ARXIV.exec(text);
  if (match === null) return null;
  const [whole, year, month, number] = match;
  const at = Number(year) * 100 + Number(month);
  const right = Number(month) >= 1 && Number(month) <= 12 && at >= 704 && Number(year) <= LATEST_YEAR - 2000;
  const length = at >= 1501 ? 5 : 4;
  return right && number!.length === length ? null : { end: start + whole.length, confidence: PROVEN };
}

const FUTURE = /et\.?\sal\.?,?\s{0,2}[([]?\s{0,2}(\d{4})(?!\d)/iy;

function yearFault(text: string, start: number): Fault | null {
  FUTURE.lastIndex = start;
  const match = FUTURE.exec(text);
  const year = Number(match?.[1]);
  return match !== null && (year > LATEST_YEAR || year < 1500) && year < 3000
    ? { end: start + match[0].length, confidence: PROVEN }
    : null;
}

const CITES =
  /(?:\b(?:sources?|references?|retrieved from|available (?:at|from)|cited (?:in|from)|citations?|see also|according to|published (?:at|in|on)|accessed (?:at|from)|doi|journal|stud(?:y|ies)|paper|article|report)\b|\[\d{1,2}\]|\(\d{4}\))[^\n]{0,120}$/i;
const RESERVED = /(?:https?:\/\/)?(?:[\w-]{1,40}\.){0,3}example\.(?:com|org|net)(?:\/[^\s)"'<>]{0,100})?/iy;

/** RFC 2606: these names never resolve, so they cannot be a source. */
function reservedHost(text: string, start: number): Fault | null {
  if (text[start - 1] === '@' || !CITES.test(sentenceBefore(text, start))) return null;
  RESERVED.lastIndex = start;
  const match = RESERVED.exec(text);
  return match === null ? null : { end: start + match[0].length, confidence: HINT };
}

const PAGES = /pp\.?\s{0,2}(\d{1,5})\s{0,1}[-–]\s{0,1}(\d{1,5})(?!\d)/iy;

/** Page ranges that run backwards; "1123-29" omits the common prefix. */
function pagesFault(text: string, start: number): Fault | null {
  PAGES.lastIndex = start;
  const match = PAGES.exec(text);
  if (match === null || match[1]!.length > match[2]!.length || Number(match[1]) <= Number(match[2]))
    return null;
  return { end: start + match[0].length, confidence: HINT };
}

const KINDS: readonly (readonly [string, (text: string, start: number) => Fault | null])[] = [
  ['isbn', isbnFault],
  ['doi:', doiFault],
  ['doi =', doiFault],
  ['doi=', doiFault],
  ['doi.org/', doiFault],
  ['arxiv', arxivFault],
  ['et al', yearFault],
  ['et. al', yearFault],
  ['example.com', reservedHost],
  ['example.org', reservedHost],
  ['example.net', reservedHost],
  ['pp. ', pagesFault],
];

/**
 * References in an answer that cannot exist by their own rules: check digits, formats, dates, reserved names. The text
 * cannot show whether a well-formed reference exists, and a citation without a number is never called fake.
 */
export const fakeCitation: TermDetector = {
  name: 'fake-citation',
  version: 1,
  sources: ['response'],
  terms: KINDS.map(([term]) => term),
  visitor: (text, push) => {
    let done = 0;
    return (term, start) => {
      if (start < done || /[\p{L}\d]/u.test(text[start - 1] ?? ' ')) return;
      const fault = KINDS[term]![1](text, start);
      if (fault === null) return;
      const candidate: Candidate = { code: 'FAKE_CITATION', entity: null, start, ...fault };
      push(candidate);
      done = fault.end;
    };
  },
};
