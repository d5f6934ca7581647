import { isAsciiAlphanumeric, isAsciiLetter, skipBackWhile, skipWhile } from '../../read/characters.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { isNoAddress } from '../web/logins.ts';
import { isTopLevelDomain } from '../web/top-level-domains.ts';

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
/** Labels after the top-level domain that belong to the sentence, or to a file name: "jo@example.com.Then". */
const MAX_AFTER = 2;

/** Latin, Greek and Cyrillic letters beyond ASCII. Scripts without spaces would include the whole sentence. */
function isLetterBeyondAscii(unit: number): boolean {
  if (unit === 0xd7 || unit === 0xf7) return false;
  return (unit >= 0xc0 && unit <= 0x24f) || (unit >= 0x370 && unit <= 0x52f);
}

function isLocalUnit(unit: number): boolean {
  // ! # $ % & ' * + - . / = ? ^ _ are legal, but the rarer ones are more often next to an address than part of it.
  if (isAsciiAlphanumeric(unit) || isLetterBeyondAscii(unit)) return true;
  return unit === 46 || unit === 95 || unit === 37 || unit === 43 || unit === 45 || unit === 39;
}

function isDomainUnit(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || isLetterBeyondAscii(unit) || unit === 45 || unit === 46;
}

/** End of the domain that starts at `from`; -1 if there is none. */
function domainEnd(text: string, from: number): number {
  let end = skipWhile(text, from, from + MAX_DOMAIN, isDomainUnit);
  while (end > from && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 45)) end--;
  const labels = text.slice(from, end).split('.');
  // "a..b": the domain ends before the empty label.
  const emptyAt = labels.indexOf('');
  if (emptyAt !== -1) labels.length = emptyAt;
  for (let after = 0; after < MAX_AFTER && !isTopLevelDomain(labels.at(-1) ?? ''); after++) labels.pop();
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || last.length < 2 || !isTopLevelDomain(last)) return -1;
  end = from + labels.join('.').length;
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

/** Email addresses, read outwards from each `@`. */
export const email: SearchDetector = {
  name: 'email',
  version: 2,
  mayFind: (traits) => traits.hasAt,
  search: (text) => {
    const found: Candidate[] = [];
    let done = 0;
    for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
      const start = localStart(text, at, done);
      const localOk = start < at && text.charCodeAt(at - 1) !== 46 && text.charCodeAt(start - 1) !== 64;
      if (!localOk || text.slice(start, at).includes('..')) continue;
      const end = domainEnd(text, at + 1);
      if (end === -1) continue;
      if (isNoAddress(text, { start, at, end })) continue;
      const confidence = isAsciiLetter(text.charCodeAt(at - 1)) || at - start > 1 ? 0.97 : 0.85;
      found.push({ code: 'EMAIL', entity: 'EMAIL', start, end, confidence });
      done = end;
    }
    return found;
  },
};
