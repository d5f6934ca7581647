import { PassThrough } from 'node:stream';
import { expect, test } from '#jest';
import { progressLine } from './progress-line.ts';

/** Output of a run that shows 1 and 2 of 2, and ends. */
function outputOf(isTTY: boolean, pipedEveryMs: number): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, cursorTo: () => true });
  const line = progressLine({ format: '{value} done' }, pipedEveryMs, stream as never);
  line.show(2, 1, {});
  line.show(2, 2, {});
  line.stop();
  return String(stream.read() ?? '');
}

const HOUR_MS = 3_600_000;

test('a pipe gets no progress of short work, whose result is printed anyway', () => {
  expect(outputOf(false, HOUR_MS)).toBe('');
});

test('a pipe gets each line of longer work once', () => {
  expect(outputOf(false, 0).match(/\d done/g)).toEqual(['1 done', '2 done']);
});

test('a terminal shows the progress from the first values on', () => {
  expect(outputOf(true, HOUR_MS)).toContain('1 done');
});
