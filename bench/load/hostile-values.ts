import type { Random } from './random.ts';

export const BODY_KINDS = [
  'size',
  'depth',
  'names',
  'values',
  'spaces',
  'numbers',
  'unicode',
  'escapes',
  'broken',
] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/** Small or large with equal probability, up to a little more than is allowed. */
export const largeSize = (random: Random, limitBytes: number): number =>
  Math.floor(2 ** (random.next() * Math.log2(limitBytes * 1.1)));

const PIECES = [
  'a',
  '0',
  ' ',
  '\n',
  '\u0000',
  '\u202e',
  '\ud800',
  'e\u0301',
  '\u{1f600}',
  'ß',
  "'; DROP TABLE x; --",
  '{{7*7}}',
  '../',
  'a@b.co ',
  '-1',
  '1e309',
  'true',
  '__proto__',
  'DE89370400440532013000 ',
] as const;

/** An awkward text of at most this many characters. */
export function awkwardText(random: Random, most: number): string {
  const size = random.upTo(most);
  const one = random.pick(PIECES);
  if (random.chance(0.5)) return one.repeat(Math.ceil(size / one.length)).slice(0, size);
  let text = '';
  while (text.length < size) text += random.pick(PIECES);
  return text.slice(0, size);
}

const NUMBERS = [
  '1e400',
  '-0',
  '9007199254740993',
  '1E-400',
  `${'9'.repeat(5_000)}`,
  `0.${'1'.repeat(5_000)}`,
  '01',
  '.5',
  '1.',
  'NaN',
  '-',
];

/** A body of about this many bytes: an example with one of its fields replaced. */
export function awkwardBody(kind: BodyKind, example: unknown, size: number, random: Random): string {
  const put = (json: string): string => inPlaceOfOne(example, json, random);
  switch (kind) {
    case 'size':
      return put(JSON.stringify(filled(random.pick(PIECES), size).toWellFormed()));
    case 'depth':
      return put(`${'['.repeat(size / 2)}${random.chance(0.8) ? ']'.repeat(size / 2) : ''}`);
    case 'names':
      return put(`{${listed(size, (number) => `"k${number.toString(36)}":0`)}}`);
    case 'values':
      return put(`[${listed(size, () => random.pick(['0', '{}', '[]', '""', 'null']))}]`);
    case 'spaces':
      return `${filled(random.pick([' ', '\n', '\r\n', '\t']), size / 2)}${JSON.stringify(example)}${filled(' ', size / 2)}`;
    case 'numbers':
      return put(
        random.chance(0.5)
          ? random.pick(NUMBERS)
          : `[${listed(size, () => random.pick(NUMBERS.slice(0, 4)))}]`,
      );
    case 'unicode':
      return put(JSON.stringify(awkwardText(random, size)));
    case 'escapes':
      return put(`"${filled(random.pick(['\\u0041', '\\ud83d', '\\\\', '\\"', '\\n']), size)}"`);
    case 'broken':
      return random.chance(0.5)
        ? filled(random.pick(['"', '{', '}', ']', ',', ':', '\\', '{"a":', '[{"']), size)
        : JSON.stringify(example).slice(0, -1);
  }
}

const filled = (piece: string, size: number): string =>
  piece.repeat(Math.max(1, Math.floor(size / piece.length)));

/** Elements separated by commas, about this many characters in all. */
function listed(size: number, make: (number: number) => string): string {
  const parts: string[] = [];
  for (let length = 0; length < size; length += parts.at(-1)!.length + 1) parts.push(make(parts.length));
  return parts.join(',');
}

/** The example as JSON, one of its fields replaced by this text; without fields, the text itself. */
function inPlaceOfOne(example: unknown, json: string, random: Random): string {
  const marked = JSON.stringify(Array.isArray(example) ? (example as unknown[])[0] : example);
  const fields = [...marked.matchAll(/"[A-Za-z]+":("(?:[^"\\]|\\.)*"|true|\d+)/g)];
  if (fields.length === 0) return json;
  const [whole, value = ''] = random.pick(fields);
  const replaced = marked.replace(whole, () => `${whole.slice(0, whole.length - value.length)}${json}`);
  return Array.isArray(example) ? `[${replaced}]` : replaced;
}
