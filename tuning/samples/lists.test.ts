import { describe, expect, test } from '#jest';
import { parseLists, readListsOf } from './lists.ts';

const parse = (...lines: readonly string[]) => parseLists(lines.join('\n'), 'some.txt');

describe('lists of a data file', () => {
  test('an entry is a line below the name of its list; comments and empty lines are none', () => {
    expect(parse('# about', '[a]', 'one', '', '# more', 'two words', '[b-c.d]', '  three ')).toEqual({
      a: ['one', 'two words'],
      'b-c.d': ['  three '],
    });
  });

  test('line breaks, backslashes, and # and [ at the start are escaped', () => {
    expect(parse('[a]', 'x\\ny', 'C:\\\\new', '\\# title', '\\[a]')).toEqual({
      a: ['x\ny', 'C:\\new', '# title', '[a]'],
    });
  });

  test('faults are reported with file and line', () => {
    expect(() => parse('word')).toThrow('some.txt:1: an entry before the first [list]');
    expect(() => parse('[a]', 'x', '[a]')).toThrow('some.txt:3: a second list [a]');
    expect(() => parse('[a]', '\\d')).toThrow('some.txt:2: unknown escape \\d');
    expect(() => parse('[a]', 'x\\')).toThrow('some.txt:2: unknown escape \\');
  });

  test('a file without a list that is read, or with one that nothing reads, is refused', () => {
    const file = 'evaluation/sets/blind/hate.txt';
    expect(readListsOf(file, 'hateful', 'notHateful').hateful.length).toBeGreaterThan(50);
    expect(() => readListsOf(file, 'hateful')).toThrow(`tuning/${file} has the lists hateful, notHateful`);
    expect(() => readListsOf('evaluation/missing.txt')).toThrow('tuning/evaluation/missing.txt');
  });
});
