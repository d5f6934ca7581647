import { isDigit } from '../../read/characters.ts';
import { readableTextIn } from '../../read/decode/encoded-runs.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { isNameOfSomething } from '../secrets/names-of-things.ts';
import { isMadeUpKey, isPlaceholderKey } from '../secrets/placeholder.ts';
import { statsOf, type TokenStats } from '../secrets/randomness.ts';
import { contextOf, type TokenContext } from '../secrets/surroundings.ts';

/** Shorter runs are found only after a name. */
const MIN_LENGTH = 16;
/** Longer runs are files, images or compressed data. */
const MAX_DATA_LENGTH = 600;
/** Tokens that contain claims are longer, and use base64url. */
const MAX_LENGTH = 2_000;
/** Below the confidence for a name right before the value, which also identifies the kind of secret. */
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
/** A mail service's key; neither hashes nor UUIDs have these groups. */
const HEX_IN_GROUPS = /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/;
const FILE_NAME =
  /\.(?:js|mjs|cjs|ts|tsx|jsx|css|map|png|jpe?g|gif|svg|webp|ico|pdf|zip|gz|tgz|whl|jar|html?|php|aspx?|json|ya?ml|xml|csv|txt|md|py|rb|go|java|log|mp[34]|mov|wav|pem|crt|cer|p12|pfx|jks|woff2?|ttf|eot|so|dll|exe|docx?|xlsx?|pptx?|com|org|net|io|dev|amazonaws|internal|local)(?![a-z0-9])/i;
/** Certificates, SSH public keys, package checksums, web identifiers. */
const PUBLIC_PREFIX =
  /^(?:AAAA[BCE][23]|MII[A-Za-z]|sha(?:1|224|256|384|512)[-=]|h1[:=]|0x(?=[0-9A-Fa-f]+$)|chatcmpl-|call_|toolu_|msg_|req_|resp_|run_|thread_|asst_|file-|fp_|urn-|pk_(?:live|test)_|cus_|ch_|pi_|evt_|sub_|price_|prod_|in_|(?:bc|tb|ltc)1[a-z0-9]{6}|addr1|H4sI|iVBOR|9j\/4|R0lGOD|JVBER|UEsDB|PHN2Zy|PD94bW)/;
/** A word for a kind of object, followed by its ID. */
const ID_OF_A_THING =
  /^(?:i|ami|vol|sg|subnet|vpc|eni|snap|rtb|igw|eip|user|usr|acct|org|team|proj|inv|order|ord|txn|trx|card|file|doc|msg|evt|job|task|item|cust|obj|img|deploy|pod|node|batch|conv|chat|page|post|gid|uid|res|ref)[-_][0-9A-Za-z]+$/;
/** A vehicle (ISO 3779) or a Bitcoin address, which other detectors handle. */
const OTHER_NUMBER = /^(?:[A-HJ-NPR-Z0-9]{17}|[13][1-9A-HJ-NP-Za-km-z]{25,33})$/;

const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/i;

/** An account with correct check digits (ISO 13616): with country and check digits moved to the end, modulo 97 is 1. */
function isIban(value: string): boolean {
  if (!ACCOUNT.test(value)) return false;
  let rest = 0;
  for (const sign of value.slice(4) + value.slice(0, 4)) {
    const digit = Number.parseInt(sign, 36);
    rest = (rest * (digit > 9 ? 100 : 10) + digit) % 97;
  }
  return rest === 1;
}

/** Maximum padding characters at the end of Base64. */
const PADDING = 2;

/**
 * The token without its surroundings in the run: a sentence's dots and dashes, `name=`, and all but two padding
 * characters.
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
    // A token may contain an equals sign, but a setting's name consists of words.
    if (!/[A-Za-z]/.test(name) || name.length > 40 || last - equals <= PADDING) break;
    if (statsOf(text, first, equals).bits >= 10) break;
    first = equals + 1;
    while (first < last && text[first] === '=') first++;
  }
  return { start: first, end: last };
}

/** IDs are common in URLs, so only the name of a parameter or a webhook indicates a secret there. */
function isInUrl(text: string, start: number): boolean {
  const before = text[start - 1];
  // "NAME ?= value" in a makefile; a URL parameter has a name between both signs.
  if (before === '&' || before === '?' || before === '#') return text[start] !== '=';
  return text.startsWith('//', start) && before === ':';
}

const SECRET_PARAMETER =
  /(?:token|secret|passw|pwd|sig(?:nature)?|api_?key|apikey|auth|credential|access_?key|(?:^|[_-])key|code|sas)$/i;

/** A token with dots or slashes between words, short numbers or dates is a path, a host or a version. */
function isPath(token: string, stats: TokenStats): boolean {
  const parts = token.split(/[/.]/).filter((part) => part !== '');
  if (parts.length < 3) return false;
  const longest = parts.reduce((most, part) => Math.max(most, part.length), 0);
  return longest < 16 && stats.bits < 30 + token.length / 4;
}

/** Letters between digits, or digits between letters: "x7k2p", not "amd64". */
const JUMBLED = /[a-z]\d{1,8}[a-z]|\d[a-z]{1,8}\d/i;
/** A name ends with one or two random parts ("web-7d9f8b6c4-x7k2p"); more indicate a key. */
const JUMBLED_PARTS_OF_A_NAME = 2;

/** For irregular capitals, which machine and release names do not have. */
const BITS_OF_MIXED_CASE = 45;

/** Names of machines and releases: short hyphenated lower-case parts, with a few random characters at the end. */
function isNameInParts(token: string, { bits }: TokenStats): boolean {
  if (!token.includes('-') || !/[a-z]/.test(token)) return false;
  if (/[A-Z]/.test(token) && bits >= BITS_OF_MIXED_CASE) return false;
  const parts = token.split(/[-_./]/);
  if (parts.some((part) => part.length >= 12)) return false;
  return parts.filter((part) => JUMBLED.test(part)).length <= JUMBLED_PARTS_OF_A_NAME;
}

/** Hashes are printed in one case; hexadecimal digits of mixed case are random. */
const isHexOfOneCase = (value: string, { hex }: TokenStats): boolean =>
  hex && !(/[a-f]/.test(value) && /[A-F]/.test(value));

/**
 * Bits that a token needs after a word for a secret. Without such a word it is a hint, because most are names and IDs.
 */
const BITS_BY_NAME = 7;

/** Minimum bits of evidence for a token; fewer if its context is more certain. */
function neededBits(length: number, { digits, flips }: TokenStats, { assigned }: TokenContext): number {
  const bits = length >= 20 ? (assigned ? 13 : 19) : assigned ? 15 : 23;
  // Camel case names have a digit or two; keys rarely have so few, unless their case alternates often.
  return digits <= 2 && flips < length / 4 ? bits + 8 : bits;
}

/** Identifiers in programs: words joined by underscores or hyphens, with a number or two. */
const WORDS_AND_NUMBERS = /^[A-Za-z]{2,16}\d{0,2}(?:[_-][A-Za-z]{2,16}\d{0,2}){1,6}$/;

/** Letters only: irregular mixed case, or lower case with letter combinations that no language has. */
function isRandomWithoutDigits(value: string, { flips, bits }: TokenStats): boolean {
  return value.length >= 24 && /[a-z]{3}/.test(value) && (flips >= 5 || bits >= 32);
}

/** Decodes Base64 to check whether it is text. */
const hidesSentence = (value: string): boolean => /\s/.test(readableTextIn(value) ?? '');

function confidenceOf(text: string, token: Run): number {
  const { start, end } = token;
  const length = end - start;
  if (length < MIN_LENGTH || length > MAX_LENGTH) return 0;
  const value = text.slice(start, end);
  if (length > MAX_DATA_LENGTH && /[+/]/.test(value)) return 0;
  if (PUBLIC_PREFIX.test(value) || isMadeUpKey(text, start, end)) return 0;
  if (HEX_IN_GROUPS.test(value)) return 0.7;
  const stats = statsOf(text, start, end);
  if (stats.ascending > 4 + length / 8) return 0;
  if (stats.digits === 0 && !isRandomWithoutDigits(value, stats)) return 0;
  if (stats.letters < 3 || stats.differentUnits < 8) return 0;
  if (!stats.hex && stats.bits < BITS_BY_NAME) return 0;
  const context = contextOf(text, start, end);
  if (isHexOfOneCase(value, stats)) {
    // "configure-aws-credentials@5fd3...": a version identified by its commit.
    if (!context.secret || stats.digits < 4 || context.harmless || text[start - 1] === '@') return 0;
    return isPlaceholderKey(value) ? 0 : 0.75;
  }
  if (context.harmless && !context.secret) return 0;
  if (!context.secret && isNameOfSomething(value)) return 0;
  if (WORDS_AND_NUMBERS.test(value) && stats.bits < BITS_OF_MIXED_CASE) return 0;
  if (UUID.test(value) || FILE_NAME.test(value) || isPath(value, stats) || isPlaceholderKey(value)) return 0;
  if (
    !context.secret &&
    (isNameInParts(value, stats) || ID_OF_A_THING.test(value) || OTHER_NUMBER.test(value) || isIban(value))
  )
    return 0;
  if (!context.secret && hidesSentence(value)) return 0;
  const needed = context.secret ? BITS_BY_NAME : neededBits(length, stats, context);
  if (stats.bits < needed) return 0;
  const surplus = Math.min(0.15, (stats.bits - needed) / 100);
  if (context.secret) return Math.min(MAX_TOKEN_CONFIDENCE, 0.75 + surplus);
  return (context.assigned ? 0.4 : 0.3) + surplus / 2;
}

function entityOf(text: string, start: number): Candidate['entity'] {
  const before = text.slice(Math.max(0, start - 40), start).toLowerCase();
  if (/passw|pwd|passphrase|passwort/.test(before)) return 'PASSWORD';
  if (/private.?key/.test(before)) return 'PRIVATE_KEY';
  return /session|cookie|bearer|jwt|access.?token|refresh.?token|sid\W/.test(before)
    ? 'SESSION_TOKEN'
    : 'API_KEY';
}

/** Base64 over several lines, or after `base64,`, is file content. */
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

/** End of a certificate or public key that starts at `start`; `start` itself if there is none. */
function afterPublicBlock(text: string, start: number): number {
  PUBLIC_BLOCK.lastIndex = start;
  if (!PUBLIC_BLOCK.test(text)) return start;
  let at = start + 11;
  // Stops at characters that the block cannot contain, so that headers without an end stay linear.
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
 * The next run of at least `MIN_LENGTH` code units that starts at or after `from`, which must start a run or be between
 * two.
 */
function nextRun(text: string, from: number, until: number): Run | number {
  let at = from;
  while (at < until) {
    // A run that is long enough reaches this offset, so most of a sentence is not read.
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

function mayContainKey(text: string, { start, end }: Run): boolean {
  if (end - start >= 24) return true;
  for (let at = start; at < end; at++) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** Random-looking tokens without a known format: long, with mixed letters and digits, unlike words and names. */
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
      if (typeof run === 'number' || !mayContainKey(text, run)) continue;
      const candidate = findIn(text, run);
      if (candidate !== null) found.push(candidate);
    }
    return found;
  },
};
