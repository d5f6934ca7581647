import { expect, test } from '#jest';
import type { TermDetector } from './detector.ts';
import { createTermSearch } from './term-search.ts';

const TERMS = ['old', ' and ', '_id'];

/** A detector that records where it was called. */
function recorder(seen: string[], made: string[], atWordStart?: boolean): TermDetector {
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

test('a detector is called wherever its terms occur', () => {
  const seen: string[] = [];
  createTermSearch([recorder(seen, [])])(TEXT, 'prompt', () => undefined);
  expect(seen).toEqual([
    ...['old:0', 'old:5', 'old:11', ' and :14', 'old:20', '_id:25', '_id:30', 'old:36', 'old:41'],
  ]);
});

test('a detector with terms at word starts is not called inside words, but its other terms are found', () => {
  const seen: string[] = [];
  createTermSearch([recorder(seen, [], true)])(TEXT, 'prompt', () => undefined);
  // The detector itself handles letters beyond ASCII.
  expect(seen).toEqual(['old:0', ' and :14', '_id:25', 'old:41']);
});

test('no visitor is created for a text with terms only inside words', () => {
  const made: string[] = [];
  const search = createTermSearch([recorder([], made, true)]);
  search('gold, bold', 'prompt', () => undefined);
  expect(made).toEqual([]);
  search('old gold', 'prompt', () => undefined);
  expect(made).toEqual(['old gold']);
});
