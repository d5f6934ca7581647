import { isTokenUnit } from '../../read/characters.ts';
import type { Candidate, TermDetector } from '../detector.ts';
import { ISSUERS } from '../secrets/issuers.ts';
import { KEY_FORMATS } from '../secrets/key-formats.ts';
import { isMadeUpKey, isPlaceholderKey } from '../secrets/placeholder.ts';
import { statsOf } from '../secrets/randomness.ts';

const PREFIXES = KEY_FORMATS.flatMap((format) => format.prefixes.map((prefix) => ({ prefix, format })));
const TERMS = [...PREFIXES.map(({ prefix }) => prefix.toLowerCase()), ...ISSUERS];

/** `sk-learn-pipeline-with-a-long-name` is a name; keys do not consist of words alone. */
function mixesDigitsAndLetters(body: string): boolean {
  return /\d/.test(body) && /[A-Za-z]/.test(body);
}

/** Text between the service's name and the key: the rest of a setting's name, quotes, an assignment sign. */
const NAMED = /[\w.-]{0,24}[\s"'`]{0,6}(?:=>|\|\||:=|[=:>,]){1,4}[\s"'`=]{0,6}/y;
const KEY = /[\w-]{14,80}(?![\w-])/y;
const OTHER_NAME =
  /(?:id|url|uri|host|hash|sha|commit|version|order|trace|channel|account|project|user|page|event|webhook_event)$/i;

/** The key after a service's name: hexadecimal digits, a UUID or a random string. */
function issuedBy(text: string, nameEnd: number): Candidate | null {
  NAMED.lastIndex = nameEnd;
  const named = NAMED.exec(text);
  if (named === null || OTHER_NAME.test(/^[\w.-]*/.exec(named[0])![0])) return null;
  const start = nameEnd + named[0].length;
  KEY.lastIndex = start;
  const key = KEY.exec(text)?.[0];
  if (key === undefined || isPlaceholderKey(key)) return null;
  const end = start + key.length;
  if (isMadeUpKey(text, start, end)) return null;
  const { hex, bits, digits, letters, differentUnits } = statsOf(text, start, end);
  const random = hex ? key.length >= 20 : bits >= 12;
  if (!random || digits < 3 || letters < 3 || differentUnits < 7) return null;
  return { code: 'SECRET_LEAK', entity: 'API_KEY', start, end, confidence: hex ? 0.65 : 0.8 };
}

/** API keys with a recognisable prefix, or right after their issuer's name. */
export const providerKeys: TermDetector = {
  name: 'provider-keys',
  version: 2,
  terms: TERMS,
  visitor: (text, push) => {
    let done = 0;
    return (term, start, end) => {
      if (start < done) return;
      if (term >= PREFIXES.length) {
        const candidate = issuedBy(text, end);
        if (candidate === null) return;
        done = candidate.end;
        push(candidate);
        return;
      }
      const { prefix, format } = PREFIXES[term]!;
      // A prefix inside a longer token does not start another key, so each key is read once.
      if (isTokenUnit(text.charCodeAt(start - 1)) || !text.startsWith(prefix, start)) return;
      format.pattern.lastIndex = start;
      const match = format.pattern.exec(text);
      if (match === null) return;
      if (format.mixed === true && !mixesDigitsAndLetters(match[0].slice(prefix.length))) return;
      done = start + match[0].length;
      if (isMadeUpKey(text, start, done)) return;
      push({ code: 'SECRET_LEAK', entity: 'API_KEY', start, end: done, confidence: 0.97 });
    };
  },
};
