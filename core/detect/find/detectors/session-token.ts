import { isSpace, isTokenUnit, skipWhile } from '../../read/characters.ts';
import type { TermDetector } from '../detector.ts';
import { labelledDetector } from '../labels/labelled.ts';
import type { Shape } from '../labels/shape.ts';
import labels from '../lists/session-token.json' with { type: 'json' };

const JWT = 0;
const MIN_PART = 10;
const MIN_BEARER = 16;

/** Three base64url parts, of which the first starts with `{"` (RFC 7519); the signature may be empty. */
function jwtEnd(text: string, start: number): number {
  const header = skipWhile(text, start, text.length, isTokenUnit);
  if (header - start < MIN_PART || text[header] !== '.') return -1;
  const payload = skipWhile(text, header + 1, text.length, isTokenUnit);
  if (payload - header < MIN_PART || text[payload] !== '.') return -1;
  return skipWhile(text, payload + 1, text.length, isTokenUnit);
}

/** The characters of a bearer token (RFC 6750, section 2.1). */
function isBearerUnit(unit: number): boolean {
  return isTokenUnit(unit) || unit === 46 || unit === 126 || unit === 43 || unit === 47 || unit === 61;
}

function bearerToken(text: string, afterWord: number): { start: number; end: number } | null {
  const start = skipWhile(text, afterWord, afterWord + 3, isSpace);
  // Checked before the token is read, because "bearer/bearer/..." would otherwise be read to its end repeatedly.
  if (start === afterWord) return null;
  const end = skipWhile(text, start, text.length, isBearerUnit);
  if (end - start < MIN_BEARER) return null;
  // Words after "bearer" ("bearer-authentication-scheme") have no digits.
  return /\d/.test(text.slice(start, Math.min(end, start + 256))) ? { start, end } : null;
}

/** JSON Web Tokens, and bearer tokens in requests, by their format. */
export const sessionToken: TermDetector = {
  name: 'session-token',
  version: 2,
  terms: ['eyj', 'bearer'],
  visitor: (text, push) => {
    let done = 0;
    const pushToken = (start: number, end: number, confidence: number): void => {
      push({ code: 'SECRET_LEAK', entity: 'SESSION_TOKEN', start, end, confidence });
      done = end;
    };
    return (term, start, end) => {
      if (start < done || isTokenUnit(text.charCodeAt(start - 1))) return;
      if (term === JWT) {
        const tokenEnd = text.startsWith('eyJ', start) ? jwtEnd(text, start) : -1;
        if (tokenEnd !== -1) pushToken(start, tokenEnd, 0.97);
      } else {
        const token = bearerToken(text, end);
        if (token !== null) pushToken(token.start, token.end, 0.85);
      }
    };
  },
};

/** Cookies are percent-encoded; a signature may follow a full stop. */
const isCookieUnit = (unit: number): boolean => isBearerUnit(unit) || unit === 37;

/** Maximum code units read before a run is known to be a token; tokens are read to their end. */
const MAX_PROBE = 64;

const token: Shape = (text, start) => {
  let end = skipWhile(text, start, start + MAX_PROBE, isCookieUnit);
  const head = text.slice(start, end);
  const digits = head.match(/\d/g)?.length ?? 0;
  // Joined words and paths have letters of one case, or few digits among many letters.
  const jumbled = /[a-z]/.test(head) && /[A-Z]/.test(head);
  if (head.length < MIN_BEARER || digits < (jumbled ? 1 : 3)) return null;
  if (/^\d{4}-\d\d-|(?:[a-z]{2,}[-_/]){2}|^[\d.-]+$|^\d+\.\d+\.\d+/.test(head) || text.startsWith('://', end))
    return null;
  end = skipWhile(text, end, text.length, isCookieUnit);
  while (text[end - 1] === '.') end--;
  return { end, confidence: 0.9 };
};

/** Session tokens after the name of their cookie or header, or after their name in a sentence. */
export const namedSessionToken = labelledDetector({
  name: 'named-session-token',
  version: 1,
  code: 'SECRET_LEAK',
  entity: 'SESSION_TOKEN',
  groups: [
    {
      labels: labels.names,
      unless: /path|file(?:name|_)|_file|director|timeout|expir|length|duration/i,
      maxWords: 9,
      shapes: [token],
    },
  ],
});
