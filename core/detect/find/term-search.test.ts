import { expect, test } from '#jest';
import type { TermDetector } from './detector.ts';
import { createTermSearch } from './term-search.ts';

const TERMS = ['old', ' and ', '_id'];

/** A detector that says where it was asked to look. */
function looker(seen: string[], made: string[], atWordStart?: boolean): TermDetector {
  return {
    name: 'looker',
    version: 1,
    terms: TERMS,
    ...(atWordStart === undefined ? {} : { atWordStart }),
    visitor: (text) => {
      made.push(text);
      return (term, start) => seen.push(`${TERMS[term]}:${start}`);
    },
  };
}

const TEXT = 'Old gold, bold and 8old; _id x_id é_old éold';

test('a detector looks wherever its terms are', () => {
  const seen: string[] = [];
  createTermSearch([looker(seen, [])])(TEXT, 'prompt', () => undefined);
  expect(seen).toEqual([
    ...['old:0', 'old:5', 'old:11', ' and :14', 'old:20', '_id:25', '_id:30', 'old:36', 'old:41'],
  ]);
});

test('one that wants the beginnings of words is not asked inside them; other terms are not held back', () => {
  const seen: string[] = [];
  createTermSearch([looker(seen, [], true)])(TEXT, 'prompt', () => undefined);
  // Letters beyond ASCII are for the detector to judge.
  expect(seen).toEqual(['old:0', ' and :14', '_id:25', 'old:41']);
});

test('nothing is made for a text whose terms are all inside words', () => {
  const made: string[] = [];
  const search = createTermSearch([looker([], made, true)]);
  search('gold, bold', 'prompt', () => undefined);
  expect(made).toEqual([]);
  search('old gold', 'prompt', () => undefined);
  expect(made).toEqual(['old gold']);
});
