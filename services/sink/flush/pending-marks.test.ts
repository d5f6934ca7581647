import { expect, test } from '#jest';
import { pendingMarks } from './pending-marks.ts';

test('marks that could not be removed wait for the next ones, up to a limit, the newest first', async () => {
  const asked: string[][] = [];
  let isDown = true;
  const marks = pendingMarks({
    admission: {
      removePendingMarks: async (removed) => {
        asked.push(removed.map(({ auditId }) => auditId));
        if (isDown) throw new Error('the state is down');
      },
    },
    logger: { warn: () => undefined },
  });
  const listed = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ customerId: 'c', auditId: String(from + n) })) as never;
  for (let n = 0; n < 6; n++) await marks.remove(listed(n * 10_000, 10_000));
  isDown = false;
  await marks.remove(listed(60_000, 1));
  expect(asked.at(-1)).toHaveLength(50_001);
  expect([asked.at(-1)![0], asked.at(-1)!.at(-1)]).toEqual(['10000', '60000']);
  await marks.remove(listed(60_001, 1));
  expect(asked.at(-1)).toEqual(['60001']);
});
