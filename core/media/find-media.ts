import { createHash } from 'node:crypto';
import { isText, typeOf } from './signatures.ts';

/**
 * Finds pictures, sounds and documents that a text holds in base64: in data URIs, and by themselves as messages carry
 * them. Detection reads texts only, and to it such a run looks like a secret.
 *
 * What decodes to text is left where it is, whatever type it claims, because it has to be analysed.
 */
export interface Medium {
  /** Offsets of the data URI, or of the base64. */
  readonly start: number;
  readonly end: number;
  /** Media type. */
  readonly type: string;
  /** Length of the file. */
  readonly bytes: number;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
}

/** Replaces it in texts that are stored. In a form that detection takes neither for an address nor for a secret. */
export const referenceTo = ({ type, bytes, sha256 }: Medium): string =>
  `[${type}; bytes=${bytes}; sha256:${sha256}]`;

/** The text with blanks in place of media, so that offsets stay. */
export function blanked(text: string, media: readonly Medium[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end } of media) {
    rest += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return rest + text.slice(at);
}

/** Media of a text; further ones are left where they are. */
const MAX_MEDIA = 1_000;
/** Runs that are looked at: a body of nothing but markers has millions of them. */
const MAX_RUNS = 20_000;
/** Characters of base64 that are taken for a file when it starts like one. */
const MIN_RUN = 80;
/** The same when its type is not known. Keys and tokens are shorter. */
const MIN_UNKNOWN = 64 * 1024;
/** Different characters among the first ones of such a run. Digits in hex have 22 at most. */
const MIN_DIFFERENT = 48;
const SAMPLED = 4_096;
/** A run of `MIN_RUN` characters contains so many from any multiple of `STEP` on. */
const STEP = 64;
const PROBE = 16;
/** Characters between two yields. */
const STRETCH = 64 * 1024;

const MARKER = ';base64,';
const MAX_HEADER = 128;
const HEADER = /data:([a-z0-9.+-]*(?:\\?\/[a-z0-9.+-]+)?)(?:;[a-z0-9=.+_-]*)*$/i;

const SLASH = 0x2f;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

/** Base64 and its form for URLs. */
const IS_BASE64 = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  IS_BASE64[character.charCodeAt(0)] = 1;

const isBase64 = (unit: number): boolean => unit < 128 && IS_BASE64[unit] === 1;

/** A text, or its bytes. */
interface Units {
  readonly length: number;
  includes(text: string): boolean;
}

/** Whether it is worth a search. Looks at a small part of the units only. */
function mayHold(units: Units, unitAt: (offset: number) => number): boolean {
  if (units.includes(MARKER)) return true;
  for (let at = 0; at + PROBE <= units.length; at += STEP)
    if (isRunFrom(unitAt, at) && isLongRun(units, unitAt, at)) return true;
  return false;
}

/** Whether the run around `at` is as long as a file's. Addresses and paths have shorter ones. */
function isLongRun({ length }: Units, unitAt: (offset: number) => number, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < STEP && isBase64(unitAt(start - 1))) start -= 1;
  let end = at + PROBE;
  while (end < length && end - start < MIN_RUN) {
    if (!isBase64(unitAt(end)) && unitAt(end) !== BACKSLASH) return false;
    end += 1;
  }
  return end - start >= MIN_RUN;
}

function isRunFrom(unitAt: (offset: number) => number, from: number): boolean {
  for (let at = from; at < from + PROBE; at += 1) if (!isBase64(unitAt(at))) return false;
  return true;
}

export const textMayHoldMedia = (text: string): boolean => mayHold(text, (at) => text.charCodeAt(at));
export const bytesMayHoldMedia = (bytes: Buffer): boolean => mayHold(bytes, (at) => bytes[at]!);

/** A run of base64. In JSON its slashes may be escaped. */
interface Run {
  /** Where what is replaced starts: at the run, or at the data URI that holds it. */
  readonly start: number;
  readonly from: number;
  readonly end: number;
  /** What the data URI declares; null: none, or no data URI. */
  readonly declared: string | null;
}

/** The media of a text, or of bytes read as Latin-1, in order. Yields regularly. */
export function* mediaIn(text: string): Generator<undefined, Medium[]> {
  const found: Medium[] = [];
  let marker = text.indexOf(MARKER);
  let at = 0;
  for (let runs = 0; runs < MAX_RUNS && found.length < MAX_MEDIA; runs += 1) {
    // Searched for once each: to the end of the text for each run would be quadratic.
    if (marker !== -1 && marker < at) marker = text.indexOf(MARKER, at);
    const run = yield* nextRun(text, at, marker);
    if (run === null) break;
    const medium = yield* mediumOf(text, run);
    if (medium !== null) found.push(medium);
    at = Math.max(run.end, at + 1);
    yield;
  }
  return found;
}

/** The next run, after `from`: a long one, or the one after the marker at `marker` (-1: there is none). */
function* nextRun(text: string, from: number, marker: number): Generator<undefined, Run | null> {
  const until = marker === -1 ? text.length : marker;
  const first = Math.ceil(from / STEP) * STEP;
  for (let at = first; at + PROBE <= until; at += STEP) {
    if ((at - first) % STRETCH === 0) yield;
    if (!isRunFrom((offset) => text.charCodeAt(offset), at)) continue;
    let start = at;
    while (start > from && isBase64(text.charCodeAt(start - 1))) start -= 1;
    start += escapeBefore(text, start);
    const end = yield* endOfRun(text, at);
    return { start, from: start, end, declared: null };
  }
  if (marker === -1) return null;
  const begin = marker + MARKER.length;
  const header = text.slice(Math.max(from, marker - MAX_HEADER), marker);
  const uri = HEADER.exec(header.slice(Math.max(0, header.lastIndexOf('data:'))));
  const end = yield* endOfRun(text, begin);
  if (uri === null) return { start: begin, from: begin, end, declared: null };
  const declared = uri[1]!.replace('\\', '').toLowerCase();
  return { start: marker - uri[0].length, from: begin, end, declared: declared === '' ? null : declared };
}

/** Length of the rest of an escape whose backslash is in front of `start`, as of `\n` in JSON in a text. */
function escapeBefore(text: string, start: number): number {
  if (text.charCodeAt(start - 1) !== BACKSLASH || text.charCodeAt(start) === SLASH) return 0;
  return text[start] === 'u' ? 5 : 1;
}

function* endOfRun(text: string, from: number): Generator<undefined, number> {
  let at = from;
  for (let next = from + STRETCH; ; ) {
    const unit = text.charCodeAt(at);
    if (isBase64(unit)) at += 1;
    else if (isEscapedSlash(text, at)) at += 2;
    else break;
    if (at > next) {
      next = at + STRETCH;
      yield;
    }
  }
  for (let signs = 0; signs < 2 && text.charCodeAt(at) === EQUALS; signs += 1) at += 1;
  return at;
}

const isEscapedSlash = (text: string, at: number): boolean =>
  text.charCodeAt(at) === BACKSLASH &&
  text.charCodeAt(at + 1) === SLASH &&
  text.charCodeAt(at - 1) !== BACKSLASH;

const unescaped = (text: string): string => (text.includes('\\') ? text.replaceAll('\\', '') : text);

function* mediumOf(text: string, { start, from, end, declared }: Run): Generator<undefined, Medium | null> {
  const sample = unescaped(text.slice(from, Math.min(end, from + SAMPLED)));
  const type = typeTaken(sample, end - from, declared);
  if (type === null) return null;
  const hash = createHash('sha256');
  let bytes = 0;
  let rest = '';
  for (let at = from; at < end; at += STRETCH) {
    const piece = rest + unescaped(text.slice(at, Math.min(end, at + STRETCH)));
    const whole = at + STRETCH < end ? piece.length - (piece.length % 4) : piece.length;
    const decoded = Buffer.from(piece.slice(0, whole), 'base64');
    rest = piece.slice(whole);
    hash.update(decoded);
    bytes += decoded.length;
    yield;
  }
  return { start, end, type, bytes, sha256: hash.digest('hex') };
}

const MEDIA_TYPE = /^(?:image|audio|video|font)\//;

/** The type of a run that is a file; null: it is left in the text. */
function typeTaken(sample: string, length: number, declared: string | null): string | null {
  const start = Buffer.from(sample, 'base64');
  if (start.length === 0 || isText(start)) return null;
  const known = typeOf(start);
  if (known !== null && (declared !== null || length >= MIN_RUN)) return declared ?? known;
  if (declared !== null && MEDIA_TYPE.test(declared)) return declared;
  if (length < MIN_UNKNOWN || new Set(sample).size < MIN_DIFFERENT) return null;
  return declared ?? 'application/octet-stream';
}
