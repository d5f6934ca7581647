import { createHash } from 'node:crypto';
import { isText, typeOf } from './signatures.ts';

/**
 * Finds images, audio and documents embedded in a text as base64: in data URIs, and bare, as messages carry them.
 * Detection only reads text, and would take such a run for a secret.
 *
 * Runs that decode to text are left in place, whatever type they declare, because they have to be analysed.
 */
export interface Medium {
  /** Offsets of the data URI, or of the bare base64. */
  readonly start: number;
  readonly end: number;
  readonly type: string;
  /** Size of the decoded file. */
  readonly bytes: number;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
}

/** The reference that replaces a medium in stored texts. Its form matches no detector for addresses or secrets. */
export const referenceTo = ({ type, bytes, sha256 }: Medium): string =>
  `[${type}; bytes=${bytes}; sha256:${sha256}]`;

/** The text with media replaced by spaces, so that offsets do not change. */
export function blanked(text: string, media: readonly Medium[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end } of media) {
    rest += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return rest + text.slice(at);
}

/** Media per text; any more are left in place. */
const MAX_MEDIA = 1_000;
/** Runs examined per text: a body of nothing but markers has millions of them. */
const MAX_RUNS = 20_000;
/** Minimum base64 characters of a run that starts like a known file type. */
const MIN_RUN = 80;
/** Minimum length when the type is not known. Keys and tokens are shorter. */
const MIN_UNKNOWN = 64 * 1024;
/** Distinct characters required in the sample of such a run. Hex has 22 at most. */
const MIN_DIFFERENT = 48;
const SAMPLED = 4_096;
/** A run of `MIN_RUN` characters contains a multiple of `STEP` and the `PROBE` characters from there. */
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

/** Standard and URL-safe base64. */
const IS_BASE64 = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  IS_BASE64[character.charCodeAt(0)] = 1;

const isBase64 = (unit: number): boolean => unit < 128 && IS_BASE64[unit] === 1;

interface Units {
  readonly length: number;
  includes(text: string): boolean;
}

/** Whether the text is worth searching. Samples only a few of the units. */
function mayContainMedia(units: Units, unitAt: (offset: number) => number): boolean {
  if (units.includes(MARKER)) return true;
  for (let at = 0; at + PROBE <= units.length; at += STEP)
    if (isRunFrom(unitAt, at) && isLongRun(units, unitAt, at)) return true;
  return false;
}

/** Whether the run around `at` is long enough for a file. Addresses and paths have shorter runs. */
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

export const textMayHoldMedia = (text: string): boolean => mayContainMedia(text, (at) => text.charCodeAt(at));
export const bytesMayHoldMedia = (bytes: Buffer): boolean => mayContainMedia(bytes, (at) => bytes[at]!);

/** A run of base64. In JSON, its slashes may be escaped. */
interface Run {
  /** Start of the replaced text: the run, or the data URI that contains it. */
  readonly start: number;
  readonly from: number;
  readonly end: number;
  /** Type that the data URI declares; null: none, or not a data URI. */
  readonly declared: string | null;
}

/** The media of a text, or of bytes read as Latin-1, in order. Yields regularly. */
export function* mediaIn(text: string): Generator<undefined, Medium[]> {
  const found: Medium[] = [];
  let marker = text.indexOf(MARKER);
  let at = 0;
  for (let runs = 0; runs < MAX_RUNS && found.length < MAX_MEDIA; runs += 1) {
    // Each is searched for once: searching to the end of the text for every run would be quadratic.
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

/** The next run after `from`: a long one, or the one after the marker at `marker` (-1: no marker). */
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
  const dataStart = marker + MARKER.length;
  const header = text.slice(Math.max(from, marker - MAX_HEADER), marker);
  const uri = HEADER.exec(header.slice(Math.max(0, header.lastIndexOf('data:'))));
  const end = yield* endOfRun(text, dataStart);
  if (uri === null) return { start: dataStart, from: dataStart, end, declared: null };
  const declared = uri[1]!.replace('\\', '').toLowerCase();
  return { start: marker - uri[0].length, from: dataStart, end, declared: declared === '' ? null : declared };
}

/** Length of the rest of an escape whose backslash precedes `start`, such as `\n` in JSON inside a text. */
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
  const type = mediaTypeOf(sample, end - from, declared);
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

/** The type of a run that is a file; null: the run stays in the text. */
function mediaTypeOf(sample: string, length: number, declared: string | null): string | null {
  const start = Buffer.from(sample, 'base64');
  if (start.length === 0 || isText(start)) return null;
  const known = typeOf(start);
  if (known !== null && (declared !== null || length >= MIN_RUN)) return declared ?? known;
  if (declared !== null && MEDIA_TYPE.test(declared)) return declared;
  if (length < MIN_UNKNOWN || new Set(sample).size < MIN_DIFFERENT) return null;
  return declared ?? 'application/octet-stream';
}
