import { describe, expect, test } from '#jest';
import { parseLists, readListsOf } from './lists.ts';

const parse = (...lines: readonly string[]) => parseLists(lines.join('\n'), 'some.txt');

describe('lists of a data file', () => {
  test('contain one entry per line below the list’s name, without comments and empty lines', () => {
    expect(parse('# about', '[a]', 'one', '', '# more', 'two words', '[b-c.d]', '  three ')).toEqual({
      a: ['one', 'two words'],
      'b-c.d': ['  three '],
    });
  });

  test('escape line breaks, backslashes, and # and [ at the start', () => {
    expect(parse('[a]', 'x\\ny', 'C:\\\\new', '\\# title', '\\[a]')).toEqual({
      a: ['x\ny', 'C:\\new', '# title', '[a]'],
    });
  });

  test('report faults with file and line', () => {
    expect(() => parse('word')).toThrow('some.txt:1: an entry before the first [list]');
    expect(() => parse('[a]', 'x', '[a]')).toThrow('some.txt:3: a second list [a]');
    expect(() => parse('[a]', '\\d')).toThrow('some.txt:2: unknown escape \\d');
    expect(() => parse('[a]', 'x\\')).toThrow('some.txt:2: unknown escape \\');
  });

  test('are refused if a list that is read is missing, or one that nothing reads is present', () => {
    const file = 'evaluation/sets/blind/hate.txt';
    expect(readListsOf(file, 'hateful', 'notHateful').hateful.length).toBeGreaterThan(50);
    expect(() => readListsOf(file, 'hateful')).toThrow(`tuning/${file} has the lists hateful, notHateful`);
    expect(() => readListsOf('evaluation/missing.txt')).toThrow('tuning/evaluation/missing.txt');
  });
});
