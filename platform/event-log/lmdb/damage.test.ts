import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { FILE_DAMAGE } from '#platform/data-folder/testing/damage-file.ts';
import { LEDGER } from '#schemas/topics.ts';
import { eventually, record, startReader } from '../harness.contract.ts';
import { partitionOf } from '../murmur2.ts';
import type { LogGap } from '../port.ts';
import { isBlock, recordsIn } from './block-format.ts';
import { type EmbeddedLog, openEmbeddedLog } from './event-log.ts';
import { logFile, openLogFile, openRecords } from './file.ts';
import { offsetOf } from './topics.ts';

const PARTITION = partitionOf('k', LEDGER.partitions);
const COUNT = 200;

describe('a damaged file of the embedded event log', () => {
  let folder: string;
  let log: EmbeddedLog;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-damage-'));
    log = await openEmbeddedLog({ path: folder, topics: [LEDGER] });
    const text = (index: number): string => `${index}.`.padEnd(700, 'x');
    await log.append(Array.from({ length: COUNT }, (_, index) => record(LEDGER.name, 'k', text(index))));
    await log.close();
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Changes or removes the value that holds the offset, then opens the log again. */
  async function damage(offset: number, change: (value: Buffer, last: number) => Buffer | null) {
    const root = openLogFile(folder);
    const records = openRecords(root);
    const found = [...records.getRange()].find(({ key }) => offsetOf(key) >= offset)!;
    const last = offsetOf(found.key);
    const changed = change(Buffer.from(found.value), last);
    await root.batch(() => {
      if (changed === null) records.remove(found.key);
      else records.put(found.key, changed);
    });
    await root.close();
    log = await openEmbeddedLog({ path: folder, topics: [LEDGER] });
    return { first: isBlock(found.value) ? [...recordsIn(found.value, last)][0]![0] : last, last };
  }

  /** Reads the partition and accepts each gap at once, as an operator would. */
  async function readBeyondGaps() {
    const gaps: LogGap[] = [];
    const reader = await startReader(log, 'group', [LEDGER.name], {
      maxRecords: 50,
      onGap: async (gap) => {
        gaps.push(gap);
        return gap.untilOffset ?? gap.offset;
      },
    });
    await eventually('the last record is read', () => reader.records.at(-1)?.offset === COUNT - 1);
    expect(reader.errors).toEqual([]);
    return { gaps, offsets: reader.records.map(({ offset }) => offset) };
  }

  const allBut = (from: number, to: number): number[] =>
    Array.from({ length: COUNT }, (_, offset) => offset).filter((offset) => offset < from || offset > to);

  // When the library opens one of these, the process dies from a signal or records go missing silently.
  test.each(Object.entries(FILE_DAMAGE))('%s is refused by name', async (_, damageFile) => {
    damageFile(logFile(folder));
    await expect(openEmbeddedLog({ path: folder, topics: [LEDGER] })).rejects.toMatchObject({
      name: 'DamagedFile',
      message: expect.stringMatching(/log\.mdb is damaged: .*restore the whole data folder from its backup/),
    });
  });

  test('a damaged record in a block is a gap of one offset', async () => {
    const { first, last } = await damage(30, (block, end) => {
      const bytes = [...recordsIn(block, end)].find(([offset]) => offset === 30)![1];
      // A view of the block.
      bytes[bytes.length - 5]! ^= 1;
      return block;
    });
    expect(first).toBeLessThan(30);
    expect(last).toBeGreaterThan(30);
    expect(await log.read(LEDGER.name, PARTITION, 30)).toBeNull();
    expect((await log.read(LEDGER.name, PARTITION, 31))?.value.toString()).toMatch(/^31\./);
    const { gaps, offsets } = await readBeyondGaps();
    expect(gaps.map(({ offset, untilOffset }) => [offset, untilOffset])).toEqual([[30, 31]]);
    expect(offsets).toEqual(allBut(30, 30));
  });

  test.each<[string, (block: Buffer) => Buffer | null]>([
    ['whose lengths do not add up', (block) => block.fill(0xff, 3, 5)],
    ['that is not there', () => null],
  ])('a block %s is a gap of its offsets, and the log is read beyond it', async (_, change) => {
    const { first, last } = await damage(30, change);
    const { gaps, offsets } = await readBeyondGaps();
    expect(gaps.map(({ offset, untilOffset }) => [offset, untilOffset])).toEqual([[first, last + 1]]);
    expect(offsets).toEqual(allBut(first, last));
  });

  test('a missing single record does not cause the loss of its neighbors when they become a block', async () => {
    await damage(COUNT - 2, () => null);
    await log.append(
      Array.from({ length: 100 }, (_, index) => record(LEDGER.name, 'k', `${index}`.padEnd(700))),
    );
    for (const offset of [COUNT - 3, COUNT - 1, COUNT, COUNT + 99])
      expect(await log.read(LEDGER.name, PARTITION, offset)).toMatchObject({ offset });
    expect(await log.read(LEDGER.name, PARTITION, COUNT - 2)).toBeNull();
  });
});
