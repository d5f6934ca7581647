import { isAsciiAlphanumeric } from '../../read/characters.ts';
import type { TermDetector } from '../detector.ts';

/** Spelled-out @ signs; those in brackets are unambiguous. */
const SIGNS = ['(at)', '[at]', '{at}', '<at>', '-at-', '_at_', '(@)', '[@]', ' at ', '@'] as const;
const PLAIN_AT = 8;
const SIGN_ITSELF = 9;

const MAX_LOCAL = 64;
const DOT_IN_WORDS = '(?: dot | ?[([{<]dot[)\\]}>] ?|_dot_|-dot-| ?[([{]\\.[)\\]}] ?)';
const LOCAL = new RegExp(
  `[a-z0-9][a-z0-9%+'-]{0,30}(?:(?:[._]|${DOT_IN_WORDS}| underscore | dash )[a-z0-9%+'-]{1,30}){0,3} {0,2}$`,
  'i',
);
const DOMAIN = new RegExp(
  `( {0,2}[a-z0-9][a-z0-9-]{0,40})((?:(?:\\.|${DOT_IN_WORDS})[a-z0-9-]{2,24}){1,4})`,
  'iy',
);
const IN_WORDS = new RegExp(DOT_IN_WORDS, 'i');

/** Top-level domains that are rarely words in sentences. */
const TOP =
  /(?:com|org|net|edu|gov|mil|int|info|biz|io|co|ai|app|dev|me|test|example|uk|de|fr|es|it|nl|be|ch|at|eu|us|ca|au|nz|in|jp|cn|br|mx|se|no|dk|fi|pl|ie|pt|cz|ru|za|sg|hk|kr)$/i;
/** "reach us at", "look at the dot com years": words that name neither a mailbox nor a domain. */
const NO_MAILBOX =
  /(?:^|[ ])(?:me|us|him|her|them|it|you|look|looking|is|was|are|be|live|lives|meet|available|hosted|found|visit|here|there|and|or|work|works|working|website|site|page|online|address|email|mail)$/i;
const NO_DOMAIN = /^ *(?:the|a|an|this|that|each|every|one)$/i;

function domainAt(text: string, from: number): { end: number; host: string; rest: string } | null {
  DOMAIN.lastIndex = from;
  const match = DOMAIN.exec(text);
  if (match === null || !TOP.test(match[0]) || NO_DOMAIN.test(match[1]!)) return null;
  const end = from + match[0].length;
  return isAsciiAlphanumeric(text.charCodeAt(end)) ? null : { end, host: match[1]!, rest: match[2]! };
}

/** Obfuscated email addresses: "jo (at) example (dot) com". */
export const emailInWords: TermDetector = {
  name: 'email-in-words',
  version: 1,
  terms: SIGNS,
  visitor: (text, push) => {
    let done = 0;
    return (sign, start, end) => {
      if (start < done) return;
      const domain = domainAt(text, end);
      if (domain === null) return;
      const inWords = IN_WORDS.test(domain.rest);
      // Another detector finds normal addresses; "look at example.com" names a page.
      const shouted = sign === PLAIN_AT && text[start + 1] === 'A' && !/[A-Z]{3}/.test(domain.rest);
      if ((sign === SIGN_ITSELF || (sign === PLAIN_AT && !shouted)) && !inWords) return;
      const local = LOCAL.exec(text.slice(Math.max(done, start - MAX_LOCAL), start))?.[0];
      if (local === undefined || (sign === PLAIN_AT && NO_MAILBOX.test(local))) return;
      done = domain.end;
      const confidence = sign === PLAIN_AT ? 0.85 : 0.93;
      push({ code: 'EMAIL', entity: 'EMAIL', start: start - local.length, end: done, confidence });
    };
  },
};
