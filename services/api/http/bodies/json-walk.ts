import { invalid } from '#platform/flow/refusal.ts';

/**
 * Walks over the bytes of JSON without building anything. It follows only strings and brackets, which show where a
 * value ends, how deep it nests and how many values it contains. Parsed values can be twenty times as large as the
 * body, and parsing blocks the event loop, so a body that exceeds a limit never reaches the parser.
 */

export const MAX_JSON_DEPTH = 64;
export const MAX_JSON_VALUES = 20_000;
/** A double represents a number of up to this many characters, without an exponent, exactly. */
const SHORT_NUMBER = 15;
/** Bytes between two points where a walk may yield: one or two milliseconds at worst. */
export const WALKED_AT_ONCE = 64 * 1024;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const CAPITAL_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const SMALL_E = 0x65;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export const isSpace = (byte: number | undefined): boolean =>
  byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;

export interface JsonShape {
  /** Nesting depth of arrays and objects. */
  readonly depth: number;
  /** Every element, every member's value, and the outermost value; names do not count. */
  readonly values: number;
  /** A number is so long, or has an exponent, that a double may not hold it exactly. */
  readonly longNumber: boolean;
}

/** State of a walk. */
interface JsonWalk {
  at: number;
  /** Number of open levels. */
  open: number;
  deepest: number;
  values: number;
  longNumber: boolean;
  inString: boolean;
  /** Offset of the last opening bracket, or of the white space after it. */
  opened: number;
}

export const walkFrom = (at: number): JsonWalk => ({
  at,
  open: 0,
  deepest: 0,
  values: 1,
  longNumber: false,
  inString: false,
  opened: -1,
});

export const shapeOf = ({ deepest, values, longNumber }: JsonWalk): JsonShape => ({
  depth: deepest,
  values,
  longNumber,
});

/**
 * Continues to `until` or a little further, in time linear in that distance. True: the value ended, at a comma or
 * closing bracket that is not its own, or at the end of the bytes.
 */
export function walkOn(bytes: Buffer, walk: JsonWalk, until: number): boolean {
  const end = Math.min(until, bytes.length);
  let { at, open, deepest, values, opened } = walk;
  let ended = false;
  if (walk.inString) at = leaveString(bytes, walk, at, end);
  for (; at < end && !walk.inString; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = leaveString(bytes, walk, at + 1, end) - 1;
    } else if (byte === COMMA) {
      if (open === 0) ended = true;
      else values += 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      open += 1;
      if (open > deepest) deepest = open;
      values += 1;
      opened = at;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      // A surplus brace breaks the value that contains it, but does not end an array around it.
      if (open === 0) ended = byte === CLOSE_BRACKET;
      else open -= 1;
      // Only white space since the opening bracket: there was no first value.
      if (opened === at - 1 && !ended) values -= 1;
    } else if (byte === MINUS || (byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9)) {
      at = leaveNumber(bytes, walk, at) - 1;
    } else if (opened === at - 1 && isSpace(byte)) opened = at;
    if (ended) break;
  }
  walk.at = at;
  walk.open = open;
  walk.deepest = deepest;
  walk.values = values;
  walk.opened = opened;
  return ended || at >= bytes.length;
}

/** Offset after the number at `from`, or within a long one: at most a few bytes further, wherever the walk is cut. */
function leaveNumber(bytes: Buffer, walk: JsonWalk, from: number): number {
  const end = Math.min(from + SHORT_NUMBER + 1, bytes.length);
  let at = from;
  for (; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === SMALL_E || byte === CAPITAL_E) {
      walk.longNumber = true;
      return at + 1;
    }
    // The range from - to 9 also contains the dot and the slash; JSON has no slash here.
    if (byte < MINUS || byte > DIGIT_9) return at;
  }
  if (at === from + SHORT_NUMBER + 1) walk.longNumber = true;
  return at;
}

/**
 * Offset after the string that contains `from`. Most of a body is strings, where a native search is many times faster.
 * Beyond `until` it stops at the next quote, whether or not that ends the string.
 */
function leaveString(bytes: Buffer, walk: JsonWalk, from: number, until: number): number {
  let start = from;
  for (;;) {
    const at = bytes.indexOf(QUOTE, start);
    walk.inString = false;
    if (at === -1) return bytes.length;
    let first = at;
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
    // Two backslashes are an escaped backslash; an odd number escapes the quote.
    if ((at - first) % 2 === 0) return at + 1;
    start = at + 1;
    if (start >= until) {
      walk.inString = true;
      return start;
    }
  }
}

/** The shape of a whole body, walked in chunks. */
export function* shapeInSteps(bytes: Buffer): Generator<undefined, JsonShape> {
  const walk = walkFrom(0);
  while (!walkOn(bytes, walk, walk.at + WALKED_AT_ONCE)) yield;
  return shapeOf(walk);
}

export function checkShape({ depth, values }: JsonShape): void {
  if (depth > MAX_JSON_DEPTH)
    throw invalid('body', `nested deeper than ${MAX_JSON_DEPTH} levels; reduce the nesting`);
  if (values > MAX_JSON_VALUES)
    throw invalid('body', `more than ${MAX_JSON_VALUES} values; send fewer, or combine some into a string`);
}
