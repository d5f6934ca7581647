import { expect, test } from '#jest';
import { mentionsGroup } from './group-words.ts';

test.each([
  'Women lead here',
  'they moved in next door',
  'Ausländer raus',
  'a Nigerian prince',
  'deaf children',
])('names or refers to a group: %s', (text) => expect(mentionsGroup(text)).toBe(true));

test.each(['You will have it tomorrow, all of it.', 'I hate Mondays', 'Kill the process', ''])(
  'refers to no group: %s',
  (text) => expect(mentionsGroup(text)).toBe(false),
);
