import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { Refusal } from '#platform/flow/refusal.ts';
import { type Body, jsonInSteps } from './body.ts';
import { isExact } from './exact-json.ts';

/** The value read from a body, or the message of its refusal. */
function read(text: string): unknown {
  const body: Pick<Body, 'bytes' | 'hold'> = { bytes: Buffer.from(text), hold: () => undefined };
  const steps = jsonInSteps(body);
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  } catch (error) {
    return (error as Refusal).message;
  }
}

describe('a duplicate key is refused with its position', () => {
  test.each([
    ['at the top', '{"a":1,"a":1}', 'a: duplicate key at line 1, column 8'],
    ['within a list', '{"a":[{"b":1},\n {"c":2,\n  "c":3}]}', 'a.1.c: duplicate key at line 3, column 3'],
    ['spelt with an escape', '{"a":1,"\\u0061":2}', 'a: duplicate key'],
    ['called __proto__', '{"x":{"__proto__":1,"__proto__":2}}', 'x.__proto__: duplicate key'],
    ['as two lone surrogates, which have no other form', '{"\\ud800":1,"\\udfff":2}', '*: duplicate key'],
    ['with the value left out of the parsed body', '{"a":{"b":[1,2,3]},"a":{"b":[]}}', 'a: duplicate key'],
    ['that is empty', '{"":1,"":2}', '*: duplicate key'],
  ])('%s', (_, text, message) => {
    expect(read(text)).toContain(message);
  });

  test('without repeating it if it may be personal data', () => {
    for (const key of ['jane.roe@example.org', '536-22-1234', 'AKIAIOSFODNN7EXAMPLE']) {
      const message = String(read(`{"a":{${JSON.stringify(key)}:1,${JSON.stringify(key)}:2}}`));
      expect(message).toContain('a.*: duplicate key');
      expect(message).not.toContain(key);
    }
  });

  test('but not the same key in two objects or inside a string', () => {
    const text = '{"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":1}],"e":"{\\"b\\":1,\\"b\\":2}"}';
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test('anywhere in a body', () => {
    const key = fc.constantFrom('a', 'b', 'c', '\\u0061', '"', '');
    const value = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '"x"', 'null', '[]', '{}'),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
        fc
          .array(fc.tuple(key, tie('value')), { maxLength: 4 })
          .map(
            (members) =>
              `{${members.map(([name, child]) => `${name.startsWith('\\') ? `"${name}"` : JSON.stringify(name)} : ${child}`).join(',')}}`,
          ),
      ),
    })).value;
    let refused = 0;
    fc.assert(
      fc.property(value, (text) => {
        const got = read(text);
        const isTwice = typeof got === 'string' && got.includes('duplicate key');
        if (isTwice) refused += 1;
        else expect(got).toEqual(JSON.parse(text));
        expect(isTwice).toBe(hasTwice(text));
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeGreaterThan(10);
  });
});

/** Compares the names in the text with those left after parsing: the reviver is called once for each of them. */
function hasTwice(text: string): boolean {
  const given = (text.match(/(?:"(?:[^"\\]|\\.)*") :/g) ?? []).length;
  let left = 0;
  JSON.parse(text, function (this: unknown, name, child: unknown) {
    if (!Array.isArray(this) && name in (this as object)) left += 1;
    return child;
  });
  // The reviver also gets the whole value, under an empty name.
  return left - 1 !== given;
}

describe('a number', () => {
  test.each([
    '0',
    '-0',
    '-1',
    '12.5',
    '0.1',
    '1e5',
    '1E+2',
    '100000000000000000000',
    '9007199254740991',
    '-9007199254740992',
    '9007199254740994',
    '1e308',
    '0.30000000000000004',
    '0.10000000000000001',
    '0.69999999999999996',
    '1.0000',
    '0.000001234',
    '5e-324',
    '0e999',
    '123456789.123456e-3',
    '1.7976931348623157e308',
  ])('%s is accepted', (literal) => {
    expect(isExact(literal)).toBe(true);
    expect(read(`{"a":${literal}}`)).toEqual({ a: JSON.parse(literal) });
  });

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '90071992547409930e-1',
    '18446744073709551615',
    '123456789012345678901234567890',
    '1e400',
    '-1e309',
    '1e-400',
    '0.1000000000000000000001',
    '3.141592653589793238462643383279',
    '1234567890123456.7',
    '1152921504606846976',
    '2e-324',
  ])('%s is refused, because a double cannot hold it', (literal) => {
    expect(isExact(literal)).toBe(false);
    expect(read(`{"a":[0,{"b": ${literal}}]}`)).toBe(
      'a.1.b: the number at line 1, column 15 does not fit a double exactly; send it as a string',
    );
  });

  test('written by a program is accepted, and no two different accepted ones are the same double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(isExact(JSON.stringify(value))).toBe(true);
        if (!Number.isInteger(value)) expect(isExact(value.toPrecision(17))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (value) => {
        const written = BigInt(Number(value));
        if (isExact(String(value))) expect(String(Number(value))).toBe(String(value));
        else expect([value !== written, String(Number(value)) !== String(value)]).toContain(true);
      }),
    );
  });

  test('of a million digits is refused in linear time', () => {
    for (const literal of [
      '1'.repeat(1_000_000),
      `0.${'0'.repeat(1_000_000)}1`,
      `1${'0'.repeat(500_000)}1${'0'.repeat(500_000)}`,
    ])
      expect(read(`[${literal}]`)).toContain('0: the number at');
  });
});

test('JSON that a program wrote is never refused', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
});
