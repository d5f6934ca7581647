import { isTokenUnit } from '../../read/characters.ts';
import type { Candidate, TermDetector } from '../detector.ts';
import { isPlaceholder, isPlaceholderKey } from '../secrets/placeholder.ts';
import { statsOf } from '../secrets/randomness.ts';

type Push = (candidateOf: Candidate) => void;
/** Reads the text after a term; returns the offset that it has read up to, 0 if there was nothing to read. */
type Reader = (text: string, termEnd: number, push: Push) => number;

/** `Authorization: Basic ...`, also as a property in code and JSON. Bearer tokens are found by another detector. */
const AUTHORIZATION =
  /["'`\]\\]{0,3}\s{0,2}(?:[:=,]|=>)\s{0,2}[bfr]?[\\"'`]{0,3}(basic|token|api-?key|key|digest|sso-key|apitoken)\s{1,3}(?:token=)?\\?["']?/iy;
/** A value that starts with "+" is an expression: `"Basic " + encode(...)`. */
const TOKEN68 = /(?!\+)[\w.~+/=:-]{8,512}/y;
/** `curl -u user:password`, `--user`, `--proxy-user`, also `wget --password=`. */
const CURL =
  /(?:[^\n|;&]{0,200}?)\s(?:-u|--user|--proxy-user|-U)[\s=]?["']?([^\s:"'<>$]{0,64}):([^\s"'`]{3,128})/y;
const COOKIES = /["'`\\]{0,3}\s{0,2}[:=(,]\s{0,2}["'`\\]{0,3}/y;
const COOKIE = /\s{0,2}([\w.$-]{1,48})=([^;\s"',]{1,512})(;|$|(?=["'\s]))/y;
const SESSION_NAME = /sess|sid$|^sid|token|auth|jwt|csrf|xsrf|remember|login|\.sid|identity|sso/i;
const MAX_COOKIES = 20;
const MIN_COOKIE = 8;
const SESSION_VALUE = /["']{0,2}\s{0,2}[=:](?!:)\s{0,2}["']?([\w%.~+/=:-]{16,256})/y;

const candidateOf = (
  entity: Candidate['entity'],
  start: number,
  end: number,
  confidence: number,
): Candidate => ({
  code: 'SECRET_LEAK',
  entity,
  start,
  end,
  confidence,
});

const readAuthorization: Reader = (text, termEnd, push) => {
  AUTHORIZATION.lastIndex = termEnd;
  const scheme = AUTHORIZATION.exec(text);
  if (scheme === null) return 0;
  const start = termEnd + scheme[0].length;
  TOKEN68.lastIndex = start;
  const value = TOKEN68.exec(text)?.[0];
  if (value === undefined || isPlaceholderKey(value) || !/\d|[a-z][A-Z]|=$/.test(value)) return 0;
  const end = start + value.length;
  push(candidateOf(scheme[1]!.toLowerCase() === 'basic' ? 'PASSWORD' : 'API_KEY', start, end, 0.92));
  return end;
};

const readCurl: Reader = (text, termEnd, push) => {
  CURL.lastIndex = termEnd;
  const match = CURL.exec(text);
  if (match === null) return 0;
  const end = termEnd + match[0].length;
  const password = match[2]!;
  if (isPlaceholder(password) || /^[$<{]/.test(password)) return end;
  push(candidateOf('PASSWORD', end - password.length, end, 0.9));
  return end;
};

/** A value that acts as a login: long enough, not a word, and either named accordingly or random. */
function isSessionValue(text: string, name: string, start: number, end: number): boolean {
  const value = text.slice(start, end);
  if (value.length < MIN_COOKIE || isPlaceholderKey(value)) return false;
  const { bits, digits, letters } = statsOf(text, start, end);
  if (SESSION_NAME.test(name)) return digits >= 2 && (letters >= 2 || digits >= 16);
  return value.length >= 20 && digits >= 2 && bits >= 20;
}

const readCookies: Reader = (text, termEnd, push) => {
  COOKIES.lastIndex = termEnd;
  const opening = COOKIES.exec(text);
  if (opening === null) return 0;
  let at = termEnd + opening[0].length;
  for (let count = 0; count < MAX_COOKIES; count++) {
    COOKIE.lastIndex = at;
    const cookie = COOKIE.exec(text);
    if (cookie === null) break;
    const [whole, name = '', value = '', stop = ''] = cookie;
    const end = at + whole.length - stop.length;
    if (isSessionValue(text, name, end - value.length, end)) {
      push(candidateOf('SESSION_TOKEN', end - value.length, end, 0.92));
    }
    at += whole.length;
    if (stop === '') break;
  }
  return at;
};

/** A session cookie with a well-known name, wherever it occurs. */
const readSession: Reader = (text, termEnd, push) => {
  SESSION_VALUE.lastIndex = termEnd;
  const match = SESSION_VALUE.exec(text);
  if (match === null) return 0;
  const end = termEnd + match[0].length;
  const start = end - match[1]!.length;
  if (isSessionValue(text, 'session', start, end)) push(candidateOf('SESSION_TOKEN', start, end, 0.92));
  return end;
};

/** Reads a password between two delimiters that are specific to its context. */
const passwordReader =
  (pattern: RegExp): Reader =>
  (text, termEnd, push) => {
    pattern.lastIndex = termEnd;
    const match = pattern.exec(text);
    if (match === null) return 0;
    const [whole, password = '', closing = ''] = match;
    const end = termEnd + whole.length - closing.length;
    if (isPlaceholder(password) || !/\d|[!@#$%^&*?+~]/.test(password)) return 0;
    push(candidateOf('PASSWORD', end - password.length, end, 0.85));
    return end;
  };

/** `mysql -uroot -pSecret`, `sshpass -p Secret`, `net user jo Secret /add`, a wireless network's key. */
const readMysql = passwordReader(/(?:dump|admin|import)?\s[^\n|;]{0,100}?\s?-p["']?([^\s"']{4,64})/y);
const readSshpass = passwordReader(/\s{1,2}-p\s{0,2}["']?([^\s"']{3,64})/y);
const readNetUser = passwordReader(/\s{1,2}[\w.-]{1,32}\s{1,2}([^\s/"']{4,64})()(?=\s|$)/y);
const readWifi = passwordReader(/[^\n]{0,80};P:([^;\n]{4,64})(;)/y);
/** `auth=("user", "secret")` and `login("user", "secret")`. */
const readPair = passwordReader(/\s?=?\s?\(?\s?["'][^"'\n]{1,64}["'],\s{0,2}["']([^"'\n]{4,64})(["'])/y);

const READERS: readonly (readonly [string, Reader])[] = [
  ['authorization', readAuthorization],
  ['curl', readCurl],
  ['cookie', readCookies],
  ['cookies', readCookies],
  ['phpsessid', readSession],
  ['jsessionid', readSession],
  ['asp.net_sessionid', readSession],
  ['aspsessionid', readSession],
  ['connect.sid', readSession],
  ['laravel_session', readSession],
  ['_gitlab_session', readSession],
  ['_session', readSession],
  ['csrftoken', readSession],
  ['xsrf-token', readSession],
  ['cfid', readSession],
  ['session', readSession],
  ['mysql', readMysql],
  ['sshpass', readSshpass],
  ['net user', readNetUser],
  ['wifi:', readWifi],
  ['auth', readPair],
  ['login(', readPair],
];

/** Credentials in requests: basic authentication, `curl -u`, session cookies. */
export const requestCredentials: TermDetector = {
  name: 'request-credentials',
  version: 2,
  terms: READERS.map(([term]) => term),
  visitor: (text, push) => {
    let done = 0;
    return (term, start, end) => {
      if (start < done) return;
      const [name, read] = READERS[term]!;
      // Both "cookies" and "cookie" end here; "set-" may precede "cookie".
      if (name === 'curl' && isTokenUnit(text.charCodeAt(start - 1))) return;
      done = Math.max(done, read(text, end, push));
    };
  },
};
