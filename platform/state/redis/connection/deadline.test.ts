import { expect, test } from '#jest';
import { withDeadline } from './deadline.ts';

test('a call that takes too long rejects, and others answer normally', async () => {
  const part = withDeadline(
    {
      never: () => new Promise<string>(() => undefined),
      double: async (number: number) => number * 2,
      fail: async (): Promise<never> => {
        throw new RangeError('as it was');
      },
    },
    30,
    'host:1',
  );
  expect(await part.double(4)).toBe(8);
  await expect(part.fail()).rejects.toThrow(new RangeError('as it was'));
  await expect(part.never()).rejects.toMatchObject({
    name: 'StateUnavailable',
    message: 'Redis at host:1 did not answer within 30 ms; the call may have taken effect',
  });
});
