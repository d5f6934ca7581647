import { expect, test } from '#jest';
import { speaksOfAGroup } from './group-words.ts';

test.each([
  'Women lead here',
  'they moved in next door',
  'Ausländer raus',
  'a Nigerian prince',
  'deaf children',
])('a group is named or pointed at: %s', (text) => expect(speaksOfAGroup(text)).toBe(true));

test.each(['You will have it tomorrow, all of it.', 'I hate Mondays', 'Kill the process', ''])(
  'nobody is meant: %s',
  (text) => expect(speaksOfAGroup(text)).toBe(false),
);
