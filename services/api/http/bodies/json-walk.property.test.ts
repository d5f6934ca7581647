import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { countReads } from '../../testing/count-reads.ts';
import { isExact } from './exact-json.ts';
import {
  checkShape,
  type JsonShape,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  shapeInSteps,
  shapeOf,
  WALKED_AT_ONCE,
  walkFrom,
  walkOn,
} from './json-walk.ts';

/** The shape from a walk in chunks of this many bytes, and the number of chunks. */
function walked(bytes: Buffer, piece: number): { readonly shape: JsonShape; readonly pieces: number } {
  const walk = walkFrom(0);
  let pieces = 1;
  while (!walkOn(bytes, walk, walk.at + piece)) pieces += 1;
  return { shape: shapeOf(walk), pieces };
}

/** The shape computed from the parsed value. */
function shapeOfValue(value: unknown): Omit<JsonShape, 'longNumber'> {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(shapeOfValue);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

test('values and depth match the parsed body, however it is spaced and cut', () => {
  const value = fc.jsonValue({
    maxDepth: 6,
    stringUnit: fc.oneof(
      fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', ':', ' '),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(
      value,
      fc.constantFrom(undefined, ' ', '\t', '\n  '),
      fc.integer({ min: 1, max: 40 }),
      (sent, space, piece) => {
        const text = ` ${JSON.stringify(sent, undefined, space)} `.replaceAll('[]', '[  ]');
        expect(walked(Buffer.from(text), piece).shape).toMatchObject(shapeOfValue(JSON.parse(text)));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a number that a double may not hold exactly is noticed, however the body is cut', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 30 });
  const fraction = fc.option(digits, { nil: undefined });
  const power = fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.tuple(fc.boolean(), digits, fraction, power),
      fc.constantFrom('%', '[%]', '{"a": %}', '[1,%,2]'),
      fc.integer({ min: 1, max: 40 }),
      ([isNegative, whole, decimals, exponent], around, piece) => {
        const literal = `${isNegative ? '-' : ''}${whole.replace(/^0+(?=.)/, '')}${
          decimals === undefined ? '' : `.${decimals}`
        }${exponent === undefined ? '' : `e${exponent}`}`;
        const { shape } = walked(Buffer.from(around.replace('%', literal)), piece);
        if (!isExact(literal)) expect(shape.longNumber).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('digits in strings and short numbers need no second check', () => {
  const text = '{"prompt": "4111111111111111 and 1e400", "tokens": [12, -0.25, 123456789012345]}';
  expect(walked(Buffer.from(text), 7).shape.longNumber).toBe(false);
});

describe('the bounds', () => {
  const check = (text: string): void => checkShape(walked(Buffer.from(text), WALKED_AT_ONCE).shape);
  test.each([
    ['levels', `${'['.repeat(MAX_JSON_DEPTH)}${']'.repeat(MAX_JSON_DEPTH)}`, '[', ']', '64 levels'],
    ['values', `[${'1,'.repeat(MAX_JSON_VALUES - 2)}1`, '', ',1]', '20000 values'],
  ])('accept the maximum of %s, and refuse one more', (_, most, before, after, message) => {
    expect(() => check(`${most}${most.endsWith(']') ? '' : ']'}`)).not.toThrow();
    expect(() => check(`${before}${most}${after}`)).toThrow(message);
  });
});

describe.each([
  ['open brackets', '['],
  ['brackets', '[]'],
  ['spaced brackets', '[  ]'],
  ['braces', '{}'],
  ['closing braces', '}'],
  ['spaces', ' '],
  ['strings with a quote', '"\\""'],
  ['escaped quotes', '\\"'],
  ['backslashes', '"\\\\'],
  ['names', '{"a":'],
  ['digits', '1'],
])('a body of %s', (_, repeated) => {
  test('is walked in linear time', () => {
    const { seen, reads } = countReads(Buffer.from(repeated.repeat(3_000)));
    walked(seen, 500);
    expect(reads() / seen.length).toBeLessThan(4);
  });

  test('yields before much of it was read', () => {
    const length = 3 * WALKED_AT_ONCE;
    const { seen, reads } = countReads(Buffer.from(repeated.repeat(length / repeated.length)));
    let before = 0;
    let pieces = 1;
    for (const _ of shapeInSteps(seen)) {
      expect(reads() - before).toBeLessThan(4 * WALKED_AT_ONCE);
      before = reads();
      pieces += 1;
    }
    expect(pieces).toBeGreaterThan(1);
  });
});
