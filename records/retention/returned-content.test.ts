import { expect, test } from '#jest';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { blankingRequests, endBlanking, requestBlanking } from './returned-content.ts';

test('ranges are recorded once; more than a hundred are merged into one', async () => {
  const { documents } = memoryState();
  const rangesOf = async () => (await blankingRequests(documents))[0]?.value.ranges;
  for (const from of [10, 10, 30]) await requestBlanking(documents, 'alice', [from, from + 5]);
  expect(await rangesOf()).toEqual([
    [10, 15],
    [30, 35],
  ]);
  for (let from = 100; from < 198; from += 1)
    await requestBlanking(documents, 'alice', [from * 10, from * 10]);
  expect(await rangesOf()).toHaveLength(100);
  await requestBlanking(documents, 'alice', [5_000, 5_001]);
  expect(await rangesOf()).toEqual([[10, 5_001]]);
});

test('a request that grew while it was being processed stays', async () => {
  const { documents } = memoryState();
  await requestBlanking(documents, 'alice', [1, 2]);
  const [before] = await blankingRequests(documents);
  await requestBlanking(documents, 'alice', [3, 4]);
  await endBlanking(documents, before!);
  const [after] = await blankingRequests(documents);
  expect(after?.value.ranges).toHaveLength(2);
  await endBlanking(documents, after!);
  expect(await blankingRequests(documents)).toEqual([]);
});
