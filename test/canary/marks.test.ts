import { expect, test } from '#jest';
import { createMarks } from './marks.ts';

const marks = createMarks();
const mark = marks.of('prompt');
const other = marks.of('response');

test.each([
  ['text', Buffer.from(`before ${other} after`), 'response as text'],
  ['upper case', Buffer.from(mark.toUpperCase()), 'a mark as upper-case text'],
  ['UTF-16LE', Buffer.from(`é${mark}`, 'utf16le'), 'a mark as UTF-16, little end first'],
  ['UTF-16BE', Buffer.from(`é${mark}`, 'utf16le').swap16(), 'a mark as UTF-16, big end first'],
  ['hex', Buffer.from(Buffer.from(`x${mark}`).toString('hex')), 'a mark as hex'],
  [
    'upper-case hex',
    Buffer.from(Buffer.from(mark).toString('hex').toUpperCase()),
    'a mark as upper-case hex',
  ],
  ['reversed', Buffer.from([...mark].reverse().join('')), 'a mark as reversed text'],
  ...['', 'a', 'ab', 'abc', 'abcd'].map(
    (before) =>
      [
        `base64 after "${before}"`,
        Buffer.from(btoa(`${before}${mark} and more`)),
        'a mark as base64',
      ] as const,
  ),
])('finds a mark encoded as %s', (_name, bytes, expected) => {
  expect(marks.find(Buffer.concat([Buffer.alloc(5_000, 7), bytes, Buffer.alloc(9)]))).toContain(expected);
});

test('finds every mark, and nothing where there is none', () => {
  expect(marks.find(Buffer.from(`${mark}${other}${mark}`))).toEqual(['prompt as text', 'response as text']);
  expect(marks.find(Buffer.from('zq1234567890abcdef'))).toEqual([]);
  expect(createMarks().find(Buffer.from(mark))).toEqual([]);
});
