import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { jsonFault } from './json-fault.ts';

function faultOf(text: string): string | null {
  const steps = jsonFault(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a JSON fault', () => {
  test.each([
    ['{"a": 1,}', 'line 1, column 9: a value is missing before "}", or a comma is one too many'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: a comma or the closing bracket is missing'],
    ['{\n  "a" 1}', 'line 2, column 7: a colon is missing after the name of the field'],
    ['{a: 1}', 'line 1, column 2: names of fields need double quotes'],
    ["{'a': 1}", 'line 1, column 2: use double quotes (")'],
    ['[1, 2', 'line 1, column 6: the body ends before the list is closed with "]"'],
    ['{"a": "b', 'line 1, column 9: the body ends inside a string'],
    ['{"a": None}', 'line 1, column 7: write true, false or null, in lower case'],
    ['{"a": 01}', 'line 1, column 8: a comma or the closing bracket is missing'],
    ['// a\n{}', 'line 1, column 1: JSON has no comments'],
    ['{"a": "\\x"}', 'line 1, column 8: a backslash that starts no escape; write it twice'],
    [
      '{} {}',
      'line 1, column 4: more text after the value; send one value, or NDJSON to POST /audit/ingest/batch',
    ],
    ['hello', 'line 1, column 1: not a JSON value; strings need double quotes'],
    ['', 'line 1, column 1: the body ends before a value'],
  ])('%s', (text, expected) => {
    expect(faultOf(text)).toBe(expected);
  });

  test('is found exactly when a parser finds one', () => {
    const tokens = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u12"',
      '1',
      '-',
      '1e5',
      'true',
      'nul',
      ' ',
      '\n',
      '"',
    );
    const texts = fc.oneof(
      fc.array(tokens, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect([text, faultOf(text) === null]).toEqual([text, parses(text)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('quotes nothing of a text', () => {
    for (const text of ['{"prompt": "my secret" oops}', 'secret', '{"a": secret}', '["secret" secret]'])
      expect(faultOf(text)).not.toMatch(/secret|oops/);
  });

  test('is found in linear time, with yields', () => {
    const steps = jsonFault(`["${'a'.repeat(500_000)}", ${'[],'.repeat(100_000)}`);
    let yields = 0;
    while (!steps.next().done) yields += 1;
    expect(yields).toBeGreaterThan(5);
  });
});
