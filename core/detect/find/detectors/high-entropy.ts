import { isDigit } from '../../read/characters.ts';
import { readableTextIn } from '../../read/decode/encoded-runs.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { isNameOfSomething } from '../secrets/names-of-things.ts';
import { isMadeUpKey, isPlaceholderKey } from '../secrets/placeholder.ts';
import { type Looks, looksOf } from '../secrets/randomness.ts';
import { type Said, whatIsSaid } from '../secrets/surroundings.ts';

/** Shorter runs are found only by the name before them. */
const MIN_LENGTH = 16;
/** Longer ones are files, images and compressed data. */
const MAX_DATA_LENGTH = 600;
/** Tokens that contain claims are longer, and are written in base64url. */
const MAX_LENGTH = 2_000;
/** Lower than the confidence by a name right before the value: the name also says what kind of secret it is. */
const MAX_TOKEN_CONFIDENCE = 0.79;

/** 1: letters, 2: digits, 3: marks that keys contain. */
const KINDS = new Uint8Array(128);
for (let unit = 48; unit <= 57; unit++) KINDS[unit] = 2;
for (let unit = 65; unit <= 90; unit++) KINDS[unit] = KINDS[unit + 32] = 1;
for (const mark of '_-+/=.~') KINDS[mark.charCodeAt(0)] = 3;

interface Run {
  readonly start: number;
  readonly end: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A mail service's key: no hash and no UUID has these groups. */
const HEX_IN_GROUPS = /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/;
const FILE_NAME =
  /\.(?:js|mjs|cjs|ts|tsx|jsx|css|map|png|jpe?g|gif|svg|webp|ico|pdf|zip|gz|tgz|whl|jar|html?|php|aspx?|json|ya?ml|xml|csv|txt|md|py|rb|go|java|log|mp[34]|mov|wav|pem|crt|cer|p12|pfx|jks|woff2?|ttf|eot|so|dll|exe|docx?|xlsx?|pptx?|com|org|net|io|dev|amazonaws|internal|local)(?![a-z0-9])/i;
/** Certificates, SSH public keys, package checksums, web identifiers. */
const PUBLIC_BEGINNING =
  /^(?:AAAA[BCE][23]|MII[A-Za-z]|sha(?:1|224|256|384|512)[-=]|h1[:=]|0x(?=[0-9A-Fa-f]+$)|chatcmpl-|call_|toolu_|msg_|req_|resp_|run_|thread_|asst_|file-|fp_|urn-|pk_(?:live|test)_|cus_|ch_|pi_|evt_|sub_|price_|prod_|in_|(?:bc|tb|ltc)1[a-z0-9]{6}|addr1|H4sI|iVBOR|9j\/4|R0lGOD|JVBER|UEsDB|PHN2Zy|PD94bW)/;
/** A word for a kind of object, then its id. */
const ID_OF_A_THING =
  /^(?:i|ami|vol|sg|subnet|vpc|eni|snap|rtb|igw|eip|user|usr|acct|org|team|proj|inv|order|ord|txn|trx|card|file|doc|msg|evt|job|task|item|cust|obj|img|deploy|pod|node|batch|conv|chat|page|post|gid|uid|res|ref)[-_][0-9A-Za-z]+$/;
/** A vehicle (ISO 3779), a Bitcoin address: other detectors judge these. */
const OTHER_NUMBER = /^(?:[A-HJ-NPR-Z0-9]{17}|[13][1-9A-HJ-NP-Za-km-z]{25,33})$/;

const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/i;

/** An account with the right check digits (ISO 13616): country and check digits go to the end, the rest modulo 97 is 1. */
function isIban(value: string): boolean {
  if (!ACCOUNT.test(value)) return false;
  let rest = 0;
  for (const sign of value.slice(4) + value.slice(0, 4)) {
    const digit = Number.parseInt(sign, 36);
    rest = (rest * (digit > 9 ? 100 : 10) + digit) % 97;
  }
  return rest === 1;
}

/** Padding characters at the end of base64. */
const PADDING = 2;

/**
 * The run without what surrounds the token: a sentence's dots and dashes, `name=`, and all but two padding characters.
 */
function tokenOf(text: string, { start, end }: Run): Run {
  let first = start;
  let last = end;
  while (first < last && '.=/+~'.includes(text[first]!)) first++;
  while (last > first && '.-~/'.includes(text[last - 1]!)) last--;
  for (
    let equals = text.indexOf('=', first);
    equals !== -1 && equals < last;
    equals = text.indexOf('=', first)
  ) {
    const name = text.slice(first, equals);
    // A token may contain the sign; the name of a setting consists of words.
    if (!/[A-Za-z]/.test(name) || name.length > 40 || last - equals <= PADDING) break;
    if (looksOf(text, first, equals).bits >= 10) break;
    first = equals + 1;
    while (first < last && text[first] === '=') first++;
  }
  return { start: first, end: last };
}

/** Inside a URL ids are common; there only the name of a parameter or a webhook says that one is a secret. */
function isInUrl(text: string, start: number): boolean {
  const before = text[start - 1];
  // "NAME ?= value" in a makefile: a URL parameter has a name between both signs.
  if (before === '&' || before === '?' || before === '#') return text[start] !== '=';
  return text.startsWith('//', start) && before === ':';
}

const SECRET_PARAMETER =
  /(?:token|secret|passw|pwd|sig(?:nature)?|api_?key|apikey|auth|credential|access_?key|(?:^|[_-])key|code|sas)$/i;

/** Dots, slashes: a token whose parts are words, short numbers or dates is a path, a host or a version. */
function isPath(token: string, looks: Looks): boolean {
  const parts = token.split(/[/.]/).filter((part) => part !== '');
  if (parts.length < 3) return false;
  const longest = parts.reduce((most, part) => Math.max(most, part.length), 0);
  return longest < 16 && looks.bits < 30 + token.length / 4;
}

/** Letters between digits, or digits between letters: "x7k2p", not "amd64". */
const JUMBLED = /[a-z]\d{1,8}[a-z]|\d[a-z]{1,8}\d/i;
/** A name ends with one or two random parts ("web-7d9f8b6c4-x7k2p"); more of them make a key. */
const JUMBLED_PARTS_OF_A_NAME = 2;

/** For irregular capitals, which names of machines and releases do not have. */
const BITS_OF_MIXED_CASE = 45;

/** Names of machines and releases end with a few random characters: short parts with hyphens, small letters. */
function isNameInParts(token: string, { bits }: Looks): boolean {
  if (!token.includes('-') || !/[a-z]/.test(token)) return false;
  if (/[A-Z]/.test(token) && bits >= BITS_OF_MIXED_CASE) return false;
  const parts = token.split(/[-_./]/);
  if (parts.some((part) => part.length >= 12)) return false;
  return parts.filter((part) => JUMBLED.test(part)).length <= JUMBLED_PARTS_OF_A_NAME;
}

/** A hash is printed in one case; hexadecimal digits of mixed case are random. */
const isHexOfOneCase = (value: string, { hex }: Looks): boolean =>
  hex && !(/[a-f]/.test(value) && /[A-F]/.test(value));

/** Bits that a token needs behind a word for a secret. Without one it is a hint: most of them are names and ids. */
const BITS_BY_NAME = 7;

/** Bits of entropy that a token must have; fewer when its context is more certain. */
function neededBits(length: number, { digits, flips }: Looks, { assigned }: Said): number {
  const bits = length >= 20 ? (assigned ? 13 : 19) : assigned ? 15 : 23;
  // Camel-case names have a digit or two; keys seldom have so few, unless their case alternates often.
  return digits <= 2 && flips < length / 4 ? bits + 8 : bits;
}

/** Names of programs: words between underscores or hyphens, with a number or two. */
const WORDS_AND_NUMBERS = /^[A-Za-z]{2,16}\d{0,2}(?:[_-][A-Za-z]{2,16}\d{0,2}){1,6}$/;

/** Letters only: of both cases in disorder, or small letters in combinations that no language has. */
function isRandomWithoutDigits(value: string, { flips, bits }: Looks): boolean {
  return value.length >= 24 && /[a-z]{3}/.test(value) && (flips >= 5 || bits >= 32);
}

/** Base64 is decoded to see whether it is text. */
const hidesSentence = (value: string): boolean => /\s/.test(readableTextIn(value) ?? '');

function confidenceOf(text: string, token: Run): number {
  const { start, end } = token;
  const length = end - start;
  if (length < MIN_LENGTH || length > MAX_LENGTH) return 0;
  const value = text.slice(start, end);
  if (length > MAX_DATA_LENGTH && /[+/]/.test(value)) return 0;
  if (PUBLIC_BEGINNING.test(value) || isMadeUpKey(text, start, end)) return 0;
  if (HEX_IN_GROUPS.test(value)) return 0.7;
  const looks = looksOf(text, start, end);
  if (looks.ascending > 4 + length / 8) return 0;
  if (looks.digits === 0 && !isRandomWithoutDigits(value, looks)) return 0;
  if (looks.letters < 3 || looks.differentUnits < 8) return 0;
  if (!looks.hex && looks.bits < BITS_BY_NAME) return 0;
  const said = whatIsSaid(text, start, end);
  if (isHexOfOneCase(value, looks)) {
    // "configure-aws-credentials@5fd3...": a version that is named by its commit.
    if (!said.secret || looks.digits < 4 || said.harmless || text[start - 1] === '@') return 0;
    return isPlaceholderKey(value) ? 0 : 0.75;
  }
  if (said.harmless && !said.secret) return 0;
  if (!said.secret && isNameOfSomething(value)) return 0;
  if (WORDS_AND_NUMBERS.test(value) && looks.bits < BITS_OF_MIXED_CASE) return 0;
  if (UUID.test(value) || FILE_NAME.test(value) || isPath(value, looks) || isPlaceholderKey(value)) return 0;
  if (
    !said.secret &&
    (isNameInParts(value, looks) || ID_OF_A_THING.test(value) || OTHER_NUMBER.test(value) || isIban(value))
  )
    return 0;
  if (!said.secret && hidesSentence(value)) return 0;
  const needed = said.secret ? BITS_BY_NAME : neededBits(length, looks, said);
  if (looks.bits < needed) return 0;
  const surplus = Math.min(0.15, (looks.bits - needed) / 100);
  if (said.secret) return Math.min(MAX_TOKEN_CONFIDENCE, 0.75 + surplus);
  return (said.assigned ? 0.4 : 0.3) + surplus / 2;
}

function entityOf(text: string, start: number): Candidate['entity'] {
  const before = text.slice(Math.max(0, start - 40), start).toLowerCase();
  if (/passw|pwd|passphrase|passwort/.test(before)) return 'PASSWORD';
  if (/private.?key/.test(before)) return 'PRIVATE_KEY';
  return /session|cookie|bearer|jwt|access.?token|refresh.?token|sid\W/.test(before)
    ? 'SESSION_TOKEN'
    : 'API_KEY';
}

/** Base64 over several lines, or after `base64,`: the data of a file. */
function isPartOfData(text: string, { start, end }: Run): boolean {
  if (text.slice(Math.max(0, start - 8), start) === ';base64,') return true;
  const length = end - start;
  if (length < 60 || length > 80 || text[end] !== '\n') return false;
  return (
    /^\n[A-Za-z0-9+/=]{40,}/.test(text.slice(end, end + 48)) ||
    /[A-Za-z0-9+/]{40}\n$/.test(text.slice(Math.max(0, start - 48), start))
  );
}

function findIn(text: string, run: Run): Candidate | null {
  if (isPartOfData(text, run)) return null;
  const token = tokenOf(text, run);
  if (isInUrl(text, run.start)) {
    const name = text.slice(run.start, token.start).replace(/=+$/, '');
    if (!SECRET_PARAMETER.test(name)) return null;
  }
  const confidence = confidenceOf(text, token);
  if (confidence === 0) return null;
  return { code: 'SECRET_LEAK', entity: entityOf(text, token.start), ...token, confidence };
}

const PUBLIC_BLOCK =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE|PUBLIC KEY|REQUEST|CRL|MESSAGE|SIGNATURE|PARAMETERS)/y;
const BLOCK_BEGIN = '-----BEGIN ';
const BLOCK_END = '-----END';

/** The end of a certificate or public key that begins at `start`; `start` itself when none does. */
function afterPublicBlock(text: string, start: number): number {
  PUBLIC_BLOCK.lastIndex = start;
  if (!PUBLIC_BLOCK.test(text)) return start;
  let at = start + 11;
  // Bounded by the block's own characters, so that headers without an end cost no more than their length.
  while (
    at < text.length &&
    !(text[at] === '-' && text.startsWith(BLOCK_END, at)) &&
    text.charCodeAt(at) < 123
  ) {
    if (text.startsWith(BLOCK_BEGIN, at)) return at;
    at++;
  }
  return at;
}

function isTokenAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 && KINDS[unit] !== 0;
}

/**
 * The next run of at least `MIN_LENGTH` code units that begins at `from` or later; `from` begins a run or is between
 * two.
 */
function nextRun(text: string, from: number, until: number): Run | number {
  let at = from;
  while (at < until) {
    // A run that is long enough reaches this place, so most of a sentence is not read.
    const probe = at + MIN_LENGTH - 1;
    if (probe >= text.length) return text.length;
    if (!isTokenAt(text, probe)) {
      at = probe + 1;
      continue;
    }
    let start = probe;
    while (start > at && isTokenAt(text, start - 1)) start--;
    let end = probe + 1;
    while (end < text.length && isTokenAt(text, end)) end++;
    if (end - start >= MIN_LENGTH) return { start, end };
    at = end;
  }
  return at;
}

function mayHoldAKey(text: string, { start, end }: Run): boolean {
  if (end - start >= 24) return true;
  for (let at = start; at < end; at++) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** Tokens of no known format that look random: long, letters and digits mixed, unlike words and names. */
export const highEntropy: SearchDetector = {
  name: 'high-entropy',
  version: 3,
  search: (text) => {
    const found: Candidate[] = [];
    let at = 0;
    let block = text.indexOf(BLOCK_BEGIN);
    while (at < text.length) {
      if (block !== -1 && at >= block) {
        at = Math.max(at, afterPublicBlock(text, block));
        block = text.indexOf(BLOCK_BEGIN, Math.max(at, block + BLOCK_BEGIN.length));
        continue;
      }
      const run = nextRun(text, at, block === -1 ? text.length : block);
      at = typeof run === 'number' ? run : run.end;
      if (typeof run === 'number' || !mayHoldAKey(text, run)) continue;
      const find = findIn(text, run);
      if (find !== null) found.push(find);
    }
    return found;
  },
};
