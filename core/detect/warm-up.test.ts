import { expect, test } from '#jest';
import { detect } from './detect.ts';
import { warmUpInSteps } from './warm-up.ts';

test('warming up yields often, ends, and keeps no state', () => {
  const texts = [{ source: 'prompt', text: 'Write to jo@example.com' } as const];
  const before = detect(texts);
  let steps = 0;
  for (const _ of warmUpInSteps()) steps++;
  expect(steps).toBeGreaterThan(100);
  expect(detect(texts)).toEqual(before);
});
