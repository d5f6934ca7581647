import type { Candidate, SearchDetector } from '../../detector.ts';
import { isAsciiAlphanumeric, isAsciiLetter, skipBackWhile, skipWhile } from '../../read/characters.ts';

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
/** "icon@2x.png" and the like: names of high-resolution image files, not addresses. */
const FILE_ENDINGS = new Set(['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'css', 'js', 'ts', 'json']);

/** Latin, Greek and Cyrillic letters beyond ASCII. Scripts written without spaces would swallow the sentence. */
function isLetterBeyondAscii(unit: number): boolean {
  if (unit === 0xd7 || unit === 0xf7) return false;
  return (unit >= 0xc0 && unit <= 0x24f) || (unit >= 0x370 && unit <= 0x52f);
}

function isLocalUnit(unit: number): boolean {
  // ! # $ % & ' * + - . / = ? ^ _ are legal; the rarer ones are next to an address more often than in it.
  if (isAsciiAlphanumeric(unit) || isLetterBeyondAscii(unit)) return true;
  return unit === 46 || unit === 95 || unit === 37 || unit === 43 || unit === 45 || unit === 39;
}

function isDomainUnit(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || isLetterBeyondAscii(unit) || unit === 45 || unit === 46;
}

/** The end of the domain that begins at `from`, or -1 when there is none. */
function domainEnd(text: string, from: number): number {
  let end = skipWhile(text, from, from + MAX_DOMAIN, isDomainUnit);
  while (end > from && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 45)) end--;
  const labels = text.slice(from, end).split('.');
  // "jo@example.com.Next sentence" cannot be told apart; "a..b" ends the domain before the empty label.
  const emptyAt = labels.indexOf('');
  if (emptyAt !== -1) {
    labels.length = emptyAt;
    end = from + labels.join('.').length;
  }
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || last.length < 2 || FILE_ENDINGS.has(last.toLowerCase())) return -1;
  if (!last.startsWith('xn--') && /[\d-]/.test(last)) return -1;
  return labels.every((label) => label.length <= 63 && !label.startsWith('-') && !label.endsWith('-'))
    ? end
    : -1;
}

function localStart(text: string, at: number, limit: number): number {
  let start = skipBackWhile(text, at, Math.max(limit, at - MAX_LOCAL), isLocalUnit);
  while (
    start < at &&
    !isAsciiAlphanumeric(text.charCodeAt(start)) &&
    !isLetterBeyondAscii(text.charCodeAt(start))
  ) {
    start++;
  }
  return start;
}

/** `git@host:path` names a repository over SSH. */
function isRepositoryAddress(text: string, start: number, at: number, end: number): boolean {
  return text.slice(start, at) === 'git' && text[end] === ':' && !/\s/.test(text[end + 1] ?? ' ');
}

/** E-mail addresses, by walking outwards from each `@`. */
export const email: SearchDetector = {
  name: 'email',
  version: 1,
  mayFind: (traits) => traits.hasAt,
  search: (text) => {
    const found: Candidate[] = [];
    let done = 0;
    for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
      const start = localStart(text, at, done);
      const localOk = start < at && text.charCodeAt(at - 1) !== 46 && text.charCodeAt(start - 1) !== 64;
      if (!localOk || text.slice(start, at).includes('..')) continue;
      const end = domainEnd(text, at + 1);
      if (end === -1 || isRepositoryAddress(text, start, at, end)) continue;
      const confidence = isAsciiLetter(text.charCodeAt(at - 1)) || at - start > 1 ? 0.97 : 0.85;
      found.push({ code: 'EMAIL', entity: 'EMAIL', start, end, confidence });
      done = end;
    }
    return found;
  },
};
