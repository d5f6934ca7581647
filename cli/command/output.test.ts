import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { print, printError, printJson, printTable } from './output.ts';

let out = '';
const taken: jest.Spied<typeof process.stdout.write>[] = [];
beforeEach(() => {
  out = '';
  for (const stream of [process.stdout, process.stderr]) {
    const spy = jest.spyOn(stream, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    });
    taken.push(spy);
  }
});
afterEach(() => {
  for (const spy of taken.splice(0)) spy.mockRestore();
});

/** All characters that control a terminal or change the reading order. */
const DANGEROUS = [
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x21 }, (_, index) => String.fromCharCode(0x7f + index)),
  ...['\u061c', '\u200e', '\u200f', '\u2028', '\u2029', '\ufeff'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
];
const ATTACK = `Acme\x1b[2J\x1b]0;owned\x07${DANGEROUS.join('')}\r\nok  VALID`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be printed
const OBEYED = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

test('control characters in a name in a table are escaped, and the name stays in its row', () => {
  printTable(['name', 'plan'], [[ATTACK, 'DEV']]);
  expect(out).not.toMatch(OBEYED);
  expect(out.trimEnd().split('\n')).toHaveLength(2);
  expect(out).toContain('Acme\\u001b[2J\\u001b]0;owned\\u0007');
});

test('a table fits the terminal, names its columns in the header, and omits empty ones', () => {
  const before = process.stdout.columns;
  process.stdout.columns = 40;
  try {
    printTable(['name', 'erasure', 'limits'], [['Acme Corporation International Ltd', '', 7]]);
  } finally {
    process.stdout.columns = before;
  }
  expect(out).toBe(
    ['NAME                              LIMITS', 'Acme Corporation International         7', 'Ltd', ''].join(
      '\n',
    ),
  );
});

test('escaping a name in JSON does not change its value', () => {
  printJson({ name: ATTACK });
  expect(out).not.toMatch(OBEYED);
  expect(out.trimEnd().split('\n')).toHaveLength(3);
  expect(JSON.parse(out)).toEqual({ name: ATTACK });
});

test('control characters in names in lines and errors are escaped', () => {
  print(`customer ${ATTACK}`);
  printError(`cas: no customer ${ATTACK}`);
  expect(out).not.toMatch(OBEYED);
  expect(out).toContain('\\u202e');
});

test('letters of all scripts, and line breaks between our lines, stay unchanged', () => {
  print('Zażółć 漢字 עברית 👩‍👧\n\nnext');
  expect(out).toBe('Zażółć 漢字 עברית 👩‍👧\n\nnext\n');
});
