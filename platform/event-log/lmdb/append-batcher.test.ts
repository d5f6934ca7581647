import { describe, expect, test } from '#jest';
import { MAX_RECORD_BYTES } from '#schemas/topics.ts';
import { AppendError, type Appended, AppendFailure, LogOverloaded, type LogRecord } from '../port.ts';
import { recordBytes } from '../record-size.ts';
import { type AppendBatcherOptions, createAppendBatcher } from './append-batcher.ts';

const record = (text: string, bytes = 0): LogRecord => ({
  topic: 't',
  key: text,
  value: Buffer.alloc(bytes),
  headers: {},
});

/** A log whose writes complete on the test's command. */
function controlled(options: Partial<AppendBatcherOptions<LogRecord>> = {}) {
  const writes: { keys: string[]; end: (error?: Error) => void }[] = [];
  let started: () => void = () => undefined;
  let offset = 0;
  const batcher = createAppendBatcher<LogRecord>({
    bytesOf: recordBytes,
    batchDelayMs: 0,
    maxBatchRecords: 500,
    maxBatchBytes: 3 * 1024 * 1024,
    maxWaitingBytes: 64 * 1024 * 1024,
    write: (records) =>
      new Promise<Appended[]>((resolve, reject) => {
        writes.push({
          keys: records.map(({ key }) => key),
          end(error) {
            if (error !== undefined) reject(error);
            else resolve(records.map(() => ({ partition: 0, offset: offset++, timestamp: 0 })));
          },
        });
        started();
      }),
    ...options,
  });
  async function write(index: number) {
    while (writes.length <= index) {
      await new Promise<void>((resolve) => {
        started = resolve;
      });
    }
    return writes[index]!;
  }
  return { batcher, write, writes };
}

const errorOf = async (appending: Promise<unknown>): Promise<AppendError> => {
  const error = await appending.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppendError);
  return error as AppendError;
};

describe('append batcher', () => {
  test('appends of one turn share a write, and later ones gather while it is in progress', async () => {
    const { batcher, write, writes } = controlled();
    const first = [batcher.append([record('a')]), batcher.append([record('b'), record('c')])];
    const one = await write(0);
    expect(one.keys).toEqual(['a', 'b', 'c']);
    const second = [batcher.append([record('d')]), batcher.append([record('e')])];
    await new Promise(setImmediate);
    expect(writes).toHaveLength(1);
    one.end();
    expect((await Promise.all(first)).flat().map(({ offset }) => offset)).toEqual([0, 1, 2]);
    const two = await write(1);
    expect(two.keys).toEqual(['d', 'e']);
    two.end();
    expect((await Promise.all(second)).flat().map(({ offset }) => offset)).toEqual([3, 4]);
  });

  test('an idle log writes at once, a busy one waits for more records unless the batch is full', async () => {
    const { batcher, write, writes } = controlled({ batchDelayMs: 60_000, maxBatchRecords: 3 });
    const calls = [batcher.append([record('a')])];
    (await write(0)).end();
    await calls[0];
    calls.push(batcher.append([record('b')]));
    await new Promise(setImmediate);
    expect(writes).toHaveLength(1);
    calls.push(batcher.append([record('c')]), batcher.append([record('d')]));
    const two = await write(1);
    expect(two.keys).toEqual(['b', 'c', 'd']);
    two.end();
    // Closing does not wait for the delay either.
    calls.push(batcher.append([record('e')]));
    const closed = batcher.close();
    (await write(2)).end();
    await closed;
    await Promise.all(calls);
  });

  test('cuts batches by records and by bytes, and a larger record is written alone', async () => {
    const { batcher, write } = controlled({ maxBatchRecords: 3, maxBatchBytes: 10_000 });
    const appending = batcher.append([
      record('1'),
      record('2'),
      record('3'),
      record('4', 6_000),
      record('5', 6_000),
      record('6', 20_000),
      record('7'),
    ]);
    const batches: string[][] = [];
    for (let index = 0; index < 5; index += 1) {
      const { keys, end } = await write(index);
      batches.push(keys);
      end();
    }
    expect(batches).toEqual([['1', '2', '3'], ['4'], ['5'], ['6'], ['7']]);
    expect((await appending).map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('a failed write is an uncertain failure of only its own records', async () => {
    const { batcher, write } = controlled({ maxBatchRecords: 2 });
    const appending = batcher.append([record('a'), record('b'), record('c')]);
    (await write(0)).end(new Error('disk full'));
    (await write(1)).end();
    const { outcomes, message } = await errorOf(appending);
    expect(message).toMatch(/^2 of 3 records/);
    for (const outcome of outcomes.slice(0, 2)) {
      expect(outcome).toBeInstanceOf(AppendFailure);
      expect(outcome).toMatchObject({ certain: false, cause: new Error('disk full') });
    }
    expect(outcomes[2]).toEqual({ partition: 0, offset: 0, timestamp: 0 });
  });

  test('counts queued records and records being written against the limit', async () => {
    const bytes = recordBytes(record('x', 1_000));
    const { batcher, write } = controlled({ maxWaitingBytes: bytes * 3 });
    const accepted = [batcher.append([record('a', 1_000), record('b', 1_000)])];
    const one = await write(0);
    accepted.push(batcher.append([record('c', 1_000)]));
    const { outcomes } = await errorOf(batcher.append([record('d', 1_000)]));
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toBeInstanceOf(LogOverloaded);
    one.end();
    await accepted[0];
    accepted.push(batcher.append([record('e', 1_000)]));
    const two = await write(1);
    expect(two.keys).toEqual(['c', 'e']);
    two.end();
    await Promise.all(accepted);
  });

  test('a call above the whole limit is accepted when nothing waits', async () => {
    const { batcher, write } = controlled({ maxWaitingBytes: 1_000 });
    const appending = batcher.append([record('a', 5_000)]);
    (await write(0)).end();
    expect(await appending).toHaveLength(1);
  });

  test('a call with only oversized records writes nothing', async () => {
    const { batcher, writes } = controlled();
    const { outcomes } = await errorOf(batcher.append([record('a', MAX_RECORD_BYTES)]));
    expect(outcomes[0]).toMatchObject({ certain: true });
    await batcher.close();
    expect(writes).toHaveLength(0);
    expect((await errorOf(batcher.append([record('b')]))).outcomes[0]).toMatchObject({ certain: true });
  });
});
