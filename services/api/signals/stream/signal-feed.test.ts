import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '#jest';
import { LogUnavailable } from '#platform/event-log/port.ts';
import { memoryLog } from '#platform/stream/testing/memory-log.ts';
import { PARTITIONS, SIGNALS } from '#schemas/topics.ts';
import { SignalFeed } from './signal-feed.ts';

const record = (key: string, first: number, last: number, epoch = '1') => ({
  topic: SIGNALS.name,
  key,
  value: Buffer.alloc(0),
  headers: { first: `${first}`, last: `${last}`, epoch },
});
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await turn();
};

test('the feed reports records appended from now on, and after a failure restarts and reports a gap', async () => {
  const log = memoryLog({ partitions: PARTITIONS });
  const reported: string[] = [];
  let gaps = 0;
  let isDown = false;
  let breakOff: () => Promise<void>;
  let tails = 0;
  const feed = new SignalFeed({
    log: {
      tail: async (options) => {
        if (isDown) throw new LogUnavailable('tests');
        tails += 1;
        const tail = await log.tail(options);
        breakOff = async () => {
          await tail.stop();
          options.onStopped?.(new Error('the broker is gone'));
        };
        return tail;
      },
    },
    onStored: (customerId, { first, last, epoch }) =>
      reported.push(`${customerId} ${epoch}-${first}-${last}`),
    onGap: () => {
      gaps += 1;
    },
    logger: { warn: () => undefined } as never,
  });
  isDown = true;
  await expect(feed.start()).rejects.toBeInstanceOf(LogUnavailable);
  isDown = false;
  await log.append([record('before', 0, 0)]);
  await Promise.all([feed.start(), feed.start()]);
  expect(tails).toBe(1);
  await log.append([record('one', 0, 4), record('other', 7, 7, '2'), record('broken', 0, Number.NaN)]);
  await until(() => reported.length === 2 && gaps === 1);
  expect(reported.sort()).toEqual(['one 1-0-4', 'other 2-7-7']);

  await breakOff!();
  // A start during this time does not wait: missed signals are looked up afterwards.
  await feed.start();
  await until(() => gaps === 2);
  expect(tails).toBe(2);
  await feed.stop();
  const before = reported.length;
  await log.append([record('after', 0, 0)]);
  for (let n = 0; n < 20; n += 1) await turn();
  expect(reported).toHaveLength(before);
  await feed.start();
  await log.append([record('again', 0, 0)]);
  await until(() => reported.includes('again 1-0-0'));
  await feed.stop();
});
