import { isAsciiLetter, isWordUnit } from '../../read/characters.ts';
import { prefiltered } from '../prefilter/prefilter.ts';

/** What the words before a token reveal about it. */
export interface TokenContext {
  /** The token grants access: a key, a token, a secret, a password. */
  readonly secret: boolean;
  /** The token identifies, counts or digests something: a hash, a commit, an order, a version. */
  readonly harmless: boolean;
  /** The token is an assigned value ("name = ", "name: "), in quotes, or alone on its line. */
  readonly assigned: boolean;
}

const REACH = 64;

const namesSecret = prefiltered(
  /(?:^|[^a-z])(?:\w{0,24}[_.-]?)?(?:token|secret|passw(?:or)?d|passwort|passphrase|pwd|credentials?|bearer|api[ _.-]?keys?|apikey|auth(?:orization)?|(?:access|private|encryption|signing|signature|master|service|account|license|client|shared|storage|deploy|session|webhook|app|application|admin|security|consumer|subscription|jwt|hmac|cookie|sas|aes|live|prod|production|test|user|our|my|the)[ _.-]?key|dsn|hmac|_key|sid|sessid|cookie|clave|contrase\S{1,2}a|mot de passe|schl\S{1,2}ssel)s?(?![a-z])/,
);
const namesHarmless = prefiltered(
  /(?:^|[^a-z])(?:\w{0,16}[_.-])?(?:hash(?:es)?|sha-?\d{0,3}|md5|crc32|checksum|digest|commits?|revision|rev|sha|tree|blob|branch|merge|etag|integrity|fingerprint|thumbprint|order|trace|tracing|span|request|correlation|transaction|tx|txn|txid|block|invoice|tracking|ticket|reference|ref|uuid|guid|version|build|release|serial|isbn|doi|image|img|src|photo|video|avatar|base64|encoded|encode|decode|decoded|ciphertext|encrypted|cipher|public|publishable|pubkey|pub|certificate|cert|wallet|address|contract|cursor|file|filename|path|url|href|link|page|chunk|bundle|class|classname|node|pod|container|instance|cluster|session_name|job|batch|message|msg|event|document|doc|object|record|row|item|product|sku|part|model|chat|thread|run|call|conversation|user|customer|flight|reservation|payment|gift_card|credit_card|sequence|dna|seed|nonce|salt|iv)(?:[ _.-]{0,2}(?:id|ids|no|nr|number|hash|sum|code|key|name))?(?![a-z])|[a-z_]id(?:s)?["'`\])]{0,2}\s{0,2}[:=]|(?:^|\W)id["'`\])]{0,2}\s{0,2}[:=]/,
);
/** Names in which a word for a secret means something else. */
const namesNoSecret = prefiltered(
  /(?:page|next|prev|previous|continuation|sync|pagination|max|min|num|total|prompt|completion|input|output|public|publishable|primary|foreign|partition|sort|cache|map|object|s3|row|registry)[ _.-]?(?:token|key)s?|(?:secrets?|credentials?|key)[ _.-]?ids?(?![a-z])|key[ _.-]?vault|vault[ _.-]?name|accessor|(?:enc|encrypted|hashed|salted)[ _.-]?pass|token[ _.-]?(?:id|type|count|name|classification)|(?:secret|key)[ _.-]?(?:name|version|arn|path)|tokens used/,
);
const isAssigned = prefiltered(/(?:[=:>]|=>|is|\|\||,|\()\s{0,3}["'`]{0,2}\s{0,3}$/);
const QUOTED = /["'`]$/;

const isBlank = (unit: string | undefined): boolean => unit !== undefined && /\s/.test(unit);
const isQuote = (unit: string | undefined): boolean => unit === '"' || unit === "'" || unit === '`';
const isCloser = (unit: string | undefined): boolean => isQuote(unit) || unit === ']' || unit === ')';
const isNameUnit = (unit: number): boolean => isWordUnit(unit) || unit === 45 || unit === 46;
const LONGEST_NAME = 41;

/** Start of the run of up to `most` such code units that ends at `end`. */
function backOver(
  text: string,
  end: number,
  most: number,
  is: (unit: string | undefined) => boolean,
): number {
  let at = end;
  while (end - at < most && is(text[at - 1])) at--;
  return at;
}

/** Start of the assignment sign (`:`, `=`, `=>`, `:=`) that ends at `end`; -1 if there is none. */
function assignmentStart(text: string, end: number): number {
  const sign = text[end - 1];
  if (sign === ':') return end - 1;
  if (sign === '=') return text[end - 2] === ':' ? end - 2 : end - 1;
  return sign === '>' && text[end - 2] === '=' ? end - 2 : -1;
}

/** The name before a value ("name = ", `"name": "`), in lower case like the text; null if there is none. */
function nameBefore(before: string): string | null {
  const signEnd = backOver(before, backOver(before, before.length, 2, isQuote), 3, isBlank);
  const sign = assignmentStart(before, signEnd);
  if (sign === -1) return null;
  const end = backOver(before, backOver(before, sign, 3, isBlank), 2, isCloser);
  let start = end;
  while (end - start < LONGEST_NAME && isNameUnit(before.charCodeAt(start - 1))) start--;
  while (start < end && !isAsciiLetter(before.charCodeAt(start))) start++;
  return start === end ? null : before.slice(start, end);
}

/** "default = " of a variable named on the line above, "value: " of a list item. */
const VALUE_OF_THE_ABOVE = /^["']?(?:default|value)["']?\s{0,3}[:=]\s{0,3}["'`]?$/;

/** The lower-cased text before `start` on its line, or the previous line if the token is alone on its own. */
function linesBefore(text: string, start: number): string {
  const reached = text.slice(Math.max(0, start - REACH), start).toLowerCase();
  const lineStart = reached.lastIndexOf('\n') + 1;
  const line = reached.slice(lineStart).trim();
  if (line !== '' && !VALUE_OF_THE_ABOVE.test(line)) return reached.slice(lineStart);
  return reached.slice(
    reached.lastIndexOf('\n', line === '' ? reached.trimEnd().length - 1 : lineStart - 2) + 1,
  );
}

/** A name right before the value decides; otherwise the words of the line do, starting with the last. */
export function contextOf(text: string, start: number, end: number): TokenContext {
  const before = linesBefore(text, start);
  const name = nameBefore(before);
  const words = before.trimEnd();
  const startsLine = words === '' || before.includes('\n', words.length);
  const alone = startsLine && (end === text.length || isBlank(text[end]));
  const assigned = alone || isAssigned(before) || QUOTED.test(before);
  if (name !== null) {
    const spelled = ` ${name}`;
    const secret = namesSecret(spelled) && !namesNoSecret(spelled);
    if (secret) return { secret, harmless: false, assigned: true };
    if (namesNoSecret(spelled)) return { secret, harmless: true, assigned: true };
    if (namesHarmless(` ${name}:`)) return { secret: false, harmless: true, assigned: true };
  }
  const clause = before.slice(Math.max(0, before.length - 48));
  const secret = namesSecret(clause) && !namesNoSecret(clause);
  return { secret, harmless: namesHarmless(clause), assigned };
}
