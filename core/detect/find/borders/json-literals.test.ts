import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { jsonPartsOf } from './json-literals.ts';

const literalsIn = (text: string): string[] =>
  jsonPartsOf(text).flatMap(({ literals }) =>
    literals
      .filter(({ start, end }) => start < end)
      .map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`),
  );

describe('JSON content in a text', () => {
  test.each([
    [
      'an object',
      '{"a": "b\\"c", "d": [1, -2.5e3, null]}',
      ['KEY a', 'STRING b\\"c', 'KEY d', 'NUMBER 1', 'NUMBER -2.5e3'],
    ],
    ['JSON in a sentence', 'got {"a": 1} and ["b"]', ['KEY a', 'NUMBER 1', 'STRING b']],
    ['lines of JSON', '{"a": 1}\n{"a": 2}', ['KEY a', 'NUMBER 1', 'KEY a', 'NUMBER 2']],
    ['JSON that was cut off', '[{"a": "b', ['KEY a', 'STRING b']],
    ['JSON with a fault', '["a", oops {"b": 2}', ['STRING a', 'KEY b', 'NUMBER 2']],
    ['a dictionary of Python', "{'a': True, 'b': \"c\"}", ['KEY a', 'KEY b', 'STRING c']],
    ['names without quotes', '{a: 1, b: "c"}', ['NUMBER 1', 'STRING c']],
    [
      'JSON in a string',
      '{"a": "x {\\"b\\": 7} y"}',
      ['KEY a', 'STRING x ', 'KEY b', 'NUMBER 7', 'STRING  y'],
    ],
    ['a line of numbers', '[536221234, 5]', ['NUMBER 536221234', 'NUMBER 5']],
  ])('%s', (_what, text, expected) => {
    expect(literalsIn(text)).toEqual(expected);
  });
});

test.each([
  'user [536221234] logged in',
  '[4111 1111 1111 1111]',
  '[415-555-0123]',
  "[see John's note]",
  '{ x }',
  '[ ]',
])('is not JSON: %s', (text) => {
  expect(literalsIn(text)).toEqual([]);
});

test.each(['[', '{', '{"a":', '["', '[1,', '"{\\"', '[{"a":"[\\"', "['"])(
  'takes time linear in the length: %j',
  (piece) => {
    expect(growsInProportion((length) => jsonPartsOf(piece.repeat(Math.ceil(length / piece.length))))).toBe(
      true,
    );
  },
);
