import { describe, expect, test } from '@jest/globals';
import { createPartitionBuffer } from './kafka-buffer.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { contiguous, createKafkaFetcher } from './kafka-fetcher.ts';
import type { WireRecord } from './kafka-requests.ts';
import { LogHole } from './port.ts';

const wire = (offset: number, isControlRecord = false): WireRecord =>
  ({
    offset: String(offset),
    timestamp: '0',
    key: Buffer.from('k'),
    value: Buffer.from(`${offset}`),
    headers: {},
    isControlRecord,
  }) as WireRecord;

describe('offsets of a fetched answer', () => {
  const judge = (messages: readonly WireRecord[], from: number) => {
    const { taken, nextOffset, found } = contiguous(messages, from);
    return { taken: taken.map(({ offset }) => Number(offset)), nextOffset, found };
  };

  test('a batch that begins before what was asked for is cut', () => {
    expect(
      judge(
        [3, 4, 5, 6].map((offset) => wire(offset)),
        5,
      ),
    ).toEqual({ taken: [5, 6], nextOffset: 7, found: null });
    expect(judge([wire(3)], 5)).toEqual({ taken: [], nextOffset: 5, found: null });
    expect(judge([], 5)).toEqual({ taken: [], nextOffset: 5, found: null });
  });

  test('a marker of a transaction fills its place', () => {
    const messages = [wire(5), wire(6, true), wire(7)];
    expect(judge(messages, 5)).toEqual({ taken: [5, 6, 7], nextOffset: 8, found: null });
  });

  test('a gap ends what is taken, wherever it lies', () => {
    expect(judge([wire(7)], 5)).toEqual({ taken: [], nextOffset: 5, found: 7 });
    expect(judge([wire(5), wire(6), wire(8)], 5)).toEqual({ taken: [5, 6], nextOffset: 7, found: 8 });
  });
});

/** A broker with these offsets and nothing between them, which answers from the next one on, as Kafka does. */
function consumerOver(stored: readonly number[], start: number) {
  const end = stored.at(-1)! + 1;
  const seen: number[] = [];
  const errors: Error[] = [];
  const cluster = { leader: () => 0, refresh: async () => undefined } as unknown as KafkaCluster;
  const lane = {
    request: async (
      _node: number,
      _name: string,
      payload: { topics: { partitions: { fetchOffset: string }[] }[] },
    ) => {
      await new Promise(setImmediate);
      const from = Number(payload.topics[0]!.partitions[0]!.fetchOffset);
      const messages = stored.filter((offset) => offset >= from).map((offset) => wire(offset));
      const answer = { partition: 0, errorCode: 0, highWatermark: String(end), messages };
      return { responses: [{ topicName: 't', partitions: [answer] }] };
    },
    close: () => undefined,
  };
  const buffer = createPartitionBuffer({
    topic: 't',
    partition: 0,
    maxRecords: 100,
    begin: () => Promise.reject(new Error('not used')),
    onWanted: () => fetcher.wake(),
  });
  const fetcher = createKafkaFetcher({
    cluster,
    lane: lane as never,
    offsets: { bounds: async () => ({ start, end }) } as never,
    buffers: () => [buffer],
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    intervalMs: 0,
    onFailure: (error) => errors.push(error),
  });
  /** Reads on until the end of the log or a failure. */
  const readFrom = async (position: number): Promise<Error | null> => {
    let next = position;
    let wake = (): void => undefined;
    const stop = buffer.onChange(() => wake());
    try {
      while (next < end) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const batch = buffer.next(next);
        if (batch === null) await changed;
        else [next] = [batch.nextOffset, seen.push(...batch.records.map(({ offset }) => offset))];
      }
      return null;
    } catch (error) {
      return error as Error;
    } finally {
      stop();
      fetcher.stop();
    }
  };
  return { readFrom, seen, errors };
}

describe('the first offset of each batch', () => {
  test('beyond the expected one, with a log that begins behind it: red, and nothing behind the hole is delivered', async () => {
    const { readFrom, seen } = consumerOver([20, 21, 22], 20);
    const error = await readFrom(15);
    expect(error).toBeInstanceOf(LogHole);
    expect(error?.message).toContain('offset 15 should be there, found a log that holds 20 up to 23');
    expect(seen).toEqual([]);
  });

  test('beyond the expected one inside the log: red, and what lies before the hole is delivered', async () => {
    const { readFrom, seen } = consumerOver([15, 16, 18, 19], 0);
    const error = await readFrom(15);
    expect(error).toBeInstanceOf(LogHole);
    expect(error?.message).toContain('offset 17 should be there, found offset 18');
    expect(seen).toEqual([15, 16]);
  });

  test('as expected: all is delivered', async () => {
    const { readFrom, seen, errors } = consumerOver([15, 16, 17], 0);
    expect(await readFrom(15)).toBeNull();
    expect(seen).toEqual([15, 16, 17]);
    expect(errors).toEqual([]);
  });
});
