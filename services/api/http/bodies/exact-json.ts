import { Refusal } from '#platform/flow/refusal.ts';
import type { JsonShape } from './json-walk.ts';

/**
 * A receipt's digest is computed over the parsed body, so two different bodies must not parse to the same value: a
 * duplicate key loses a value, and a double cannot represent every number.
 *
 * Both are detected without reading the body again: the walk over the bytes counted the values, and a parsed value with
 * fewer has lost some. The text is walked for the position only then, or if a number is long.
 */
export function* checkExact(text: string, value: unknown, shape: JsonShape): Generator<undefined, void> {
  if (!shape.longNumber && valuesIn(value) === shape.values) return;
  const fault = yield* faultIn(text);
  if (fault !== null) throw refusalOf(text, fault);
}

/** Every element, every member's value, and the outermost value. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) for (const child of value) count += valuesIn(child);
  // Parsed JSON has only own members, so `in` needs no array of names.
  else for (const name in value) count += valuesIn((value as Readonly<Record<string, unknown>>)[name]);
  return count;
}

interface Fault {
  readonly kind: 'key' | 'number';
  readonly at: number;
  readonly path: readonly string[];
}

/** An open array or object. */
interface Level {
  /** Names so far; null: an array. */
  readonly names: Set<string> | null;
  /** The next string is a name. */
  expectsName: boolean;
  name: string;
  index: number;
}

/** Characters between two yields. */
const STRETCH = 64 * 1024;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** The first fault in a text that parsed as JSON. */
function* faultIn(text: string): Generator<undefined, Fault | null> {
  const levels: Level[] = [];
  let yielded = 0;
  for (let at = 0; at < text.length; ) {
    if (at - yielded > STRETCH) {
      yielded = at;
      yield;
    }
    const level = levels.at(-1);
    const first = text[at]!;
    if (first === '"') {
      const end = endOfString(text, at);
      if (level?.expectsName && !addName(level, text.slice(at, end)))
        return { kind: 'key', at, path: pathOf(levels) };
      at = end;
    } else if (first === '-' || (first >= '0' && first <= '9')) {
      NUMBER.lastIndex = at;
      const literal = NUMBER.exec(text)?.[0] ?? first;
      if (!isExact(literal)) return { kind: 'number', at, path: pathOf(levels) };
      at += literal.length;
    } else {
      if (first === '{') levels.push({ names: new Set(), expectsName: true, name: '', index: 0 });
      else if (first === '[') levels.push({ names: null, expectsName: false, name: '', index: 0 });
      else if (first === '}' || first === ']') levels.pop();
      else if (first === ',' && level !== undefined) {
        level.index += 1;
        level.expectsName = level.names !== null;
      }
      at += 1;
    }
  }
  return null;
}

/** Offset after the string whose opening quote is at `from`. */
function endOfString(text: string, from: number): number {
  for (let start = from + 1; ; ) {
    const at = text.indexOf('"', start);
    if (at === -1) return text.length;
    let first = at;
    while (first > start && text[first - 1] === '\\') first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
    start = at + 1;
  }
}

/** False if the object already has the name, as the parser reads it and with lone surrogates replaced. */
function addName(level: Level, quoted: string): boolean {
  const name = (JSON.parse(quoted) as string).toWellFormed();
  level.name = name;
  level.expectsName = false;
  if (level.names?.has(name)) return false;
  level.names?.add(name);
  return true;
}

/** Names that programs give to fields. Any other name may be personal data, which no message repeats. */
const FIELD_NAME = /^[A-Za-z_$][A-Za-z_$-]{0,39}\d{0,3}$/;

const pathOf = (levels: readonly Level[]): string[] =>
  levels.map(({ names, name, index }) => {
    if (names === null) return String(index);
    return FIELD_NAME.test(name) ? name : '*';
  });

function refusalOf(text: string, { kind, at, path: steps }: Fault): Refusal {
  const path = steps.length === 0 ? 'body' : steps.join('.');
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const message =
    kind === 'key'
      ? `duplicate key at line ${line}, column ${column}; send it once`
      : `the number at line ${line}, column ${column} does not fit a double exactly; send it as a string`;
  return new Refusal('INVALID_REQUEST', {
    message: `${path}: ${message}`,
    details: [{ path, message }],
  });
}

/** Digits without leading or trailing zeros, and the exponent for a decimal point before the first digit. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function decimalOf(literal: string): Decimal {
  const [, whole = '', fraction = '', power = '0'] = PARTS.exec(literal) ?? [];
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  return start === end
    ? { digits: '', exponent: 0 }
    : { digits: all.slice(start, end), exponent: whole.length - start + Number(power) };
}

const isSame = (one: Decimal, other: Decimal): boolean =>
  one.digits === other.digits && one.exponent === other.exponent;

/**
 * Whether canonical JSON writes this number, i.e. the shortest decimal that reads as the same double. A fraction with
 * all 17 digits, as many programs print a double, counts as the same number.
 */
export function isExact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  const sent = decimalOf(literal);
  if (isSame(sent, decimalOf(String(value)))) return true;
  return !Number.isInteger(value) && isSame(sent, decimalOf(value.toPrecision(17)));
}
