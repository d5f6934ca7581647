import { isSpace, isTokenUnit, skipWhile } from '../characters.ts';
import type { TermDetector } from '../detector.ts';

const JWT = 0;
const MIN_PART = 10;
const MIN_BEARER = 16;

/** Three base64url parts, of which the first begins with `{"` (RFC 7519); the signature may be empty. */
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
  // Looked at before the token is read: "bearer/bearer/..." would be read to its end again and again.
  if (start === afterWord) return null;
  const end = skipWhile(text, start, text.length, isBearerUnit);
  if (end - start < MIN_BEARER) return null;
  // Words behind "bearer" ("bearer-authentication-scheme") have no digits.
  return /\d/.test(text.slice(start, Math.min(end, start + 256))) ? { start, end } : null;
}

/** JSON web tokens and bearer tokens of requests. */
export const sessionToken: TermDetector = {
  name: 'session-token',
  version: 1,
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
