import { describe, expect, test } from '#jest';
import { LogGap } from '../../port.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import { BrokerError, CODES } from '../protocol/errors.ts';
import type { FetchedPartition, UnreadableBatch, WireRecord } from '../protocol/requests.ts';
import { UnreadableRecords } from '../protocol/unreadable-records.ts';
import { PartitionBuffer } from './buffer.ts';
import { contiguous, KafkaFetcher } from './fetcher.ts';

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

  test('a batch that starts before the requested offset is cut', () => {
    expect(
      judge(
        [3, 4, 5, 6].map((offset) => wire(offset)),
        5,
      ),
    ).toEqual({ taken: [5, 6], nextOffset: 7, found: null });
    expect(judge([wire(3)], 5)).toEqual({ taken: [], nextOffset: 5, found: null });
    expect(judge([], 5)).toEqual({ taken: [], nextOffset: 5, found: null });
  });

  test('a transaction marker occupies its offset', () => {
    const messages = [wire(5), wire(6, true), wire(7)];
    expect(judge(messages, 5)).toEqual({ taken: [5, 6, 7], nextOffset: 8, found: null });
  });

  test('records are returned up to the first gap, wherever it is', () => {
    expect(judge([wire(7)], 5)).toEqual({ taken: [], nextOffset: 5, found: 7 });
    expect(judge([wire(5), wire(6), wire(8)], 5)).toEqual({ taken: [5, 6], nextOffset: 7, found: 8 });
  });
});

interface Broker {
  /** Offsets of the stored records; all other offsets are empty. */
  readonly stored: readonly number[];
  /** Start of the log. */
  readonly start: number;
  /** The batch at which reading fails. */
  readonly unreadable?: UnreadableBatch;
  /**
   * Error codes of the first answers, in order, before any carry records: for the partition and for the whole answer.
   */
  readonly refusals?: readonly { readonly partition?: number; readonly answer?: number }[];
  /** Called before each request is answered. */
  readonly onRequest?: () => void;
  readonly bounds?: () => Promise<{ start: number; end: number }>;
}

/** A broker that answers from the next stored offset, as Kafka does. */
function consumerOver({ stored, start, unreadable, refusals = [], bounds, onRequest }: Broker) {
  const end = unreadable?.nextOffset ?? stored.at(-1)! + 1;
  const seen: number[] = [];
  const errors: Error[] = [];
  const warnings: string[] = [];
  const left = [...refusals];
  const cluster = { leader: () => 0, refresh: async () => undefined } as unknown as KafkaCluster;
  const pool = {
    request: async (
      _node: number,
      _name: string,
      payload: { topics: { partitions: { fetchOffset: string }[] }[] },
    ) => {
      await new Promise(setImmediate);
      onRequest?.();
      const refusal = left.shift();
      const from = Number(payload.topics[0]!.partitions[0]!.fetchOffset);
      const answered: FetchedPartition = {
        partition: 0,
        errorCode: refusal?.partition ?? 0,
        highWatermark: String(end),
        messages: stored.filter((offset) => refusal === undefined && offset >= from).map((at) => wire(at)),
        unreadable: (refusal === undefined ? unreadable : null) ?? null,
      };
      return {
        errorCode: refusal?.answer ?? 0,
        responses: [{ topicName: 't', partitions: [answered] }],
      };
    },
    close: () => undefined,
  };
  const buffer = new PartitionBuffer({
    topic: 't',
    partition: 0,
    maxRecords: 100,
    begin: () => Promise.reject(new Error('not used')),
    onWanted: () => fetcher.wake(),
  });
  const fetcher = new KafkaFetcher({
    cluster,
    pool: pool as never,
    offsets: { bounds: bounds ?? (async () => ({ start, end })) } as never,
    buffers: () => [buffer],
    logger: {
      info: () => undefined,
      warn: ({ reason }: { readonly reason?: string }) => void warnings.push(reason ?? ''),
      error: () => undefined,
    },
    intervalMs: 0,
    onFailure: (error) => {
      errors.push(error);
      failed(error);
    },
  });
  let failed: (error: Error) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => undefined);
  /** Reads until the end of the log or a failure. */
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
        if (batch === null) await Promise.race([changed, failure]);
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
  return { readFrom, seen, errors, warnings, refusal: () => fetcher.refusal(), stop: () => fetcher.stop() };
}

describe('the first offset of each batch', () => {
  test('a first offset after the expected one, with a log that starts later, fails, and no record after the gap is delivered', async () => {
    const { readFrom, seen } = consumerOver({ stored: [20, 21, 22], start: 20 });
    const error = await readFrom(15);
    expect(error).toBeInstanceOf(LogGap);
    expect(error?.message).toContain('offset 15 should be there, found a log that holds 20 up to 23');
    expect(seen).toEqual([]);
  });

  test('a first offset after the expected one within the log fails, and the records before the gap are delivered', async () => {
    const { readFrom, seen } = consumerOver({ stored: [15, 16, 18, 19], start: 0 });
    const error = await readFrom(15);
    expect(error).toBeInstanceOf(LogGap);
    expect(error?.message).toContain('offset 17 should be there, found offset 18');
    expect(seen).toEqual([15, 16]);
  });

  test('all records are delivered when the first offset is the expected one', async () => {
    const { readFrom, seen, errors } = consumerOver({ stored: [15, 16, 17], start: 0 });
    expect(await readFrom(15)).toBeNull();
    expect(seen).toEqual([15, 16, 17]);
    expect(errors).toEqual([]);
  });
});

describe('a batch that cannot be read', () => {
  const batch = { codec: 'lz4', isDamaged: false, offset: 18, nextOffset: 21 };

  test('directly after the delivered records, the records of an unreadable batch are reported as missing', async () => {
    const { readFrom, seen } = consumerOver({ stored: [15, 16, 17], start: 0, unreadable: batch });
    const error = await readFrom(15);
    expect(error).toBeInstanceOf(UnreadableRecords);
    expect(error).toMatchObject({ offset: 18, untilOffset: 21 });
    expect(seen).toEqual([15, 16, 17]);
  });

  test('when an unreadable batch starts before the requested offset, the missing records start at the requested offset', async () => {
    const { readFrom } = consumerOver({ stored: [], start: 0, unreadable: batch });
    expect(await readFrom(19)).toMatchObject({ name: 'UnreadableRecords', offset: 19, untilOffset: 21 });
  });

  test.each([
    ['alone', []],
    ['after other records', [14, 15]],
  ])(
    'a gap before an unreadable batch, %s, is reported separately, from its first offset',
    async (_what, stored) => {
      const { readFrom, seen } = consumerOver({ stored, start: 0, unreadable: batch });
      const error = await readFrom(16 - stored.length);
      expect(error).not.toBeInstanceOf(UnreadableRecords);
      expect(error).toBeInstanceOf(LogGap);
      expect(error).toMatchObject({ offset: 16, untilOffset: 18 });
      expect(seen).toEqual(stored);
    },
  );

  test('a gap that retention left before an unreadable batch ends where the log starts', async () => {
    const { readFrom } = consumerOver({ stored: [], start: 18, unreadable: batch });
    expect(await readFrom(16)).toMatchObject({ name: 'LogGap', offset: 16, untilOffset: 18 });
  });
});

describe('an answer that carries an error', () => {
  test.each([
    ['a revoked permission on the topic', { partition: CODES.TOPIC_AUTHORIZATION_FAILED }],
    ['a moving leader', { partition: CODES.NOT_LEADER }],
    ['an unspecific broker error', { partition: -1 }],
    ['a broker that is not ready, for the whole answer', { answer: CODES.COORDINATOR_LOADING }],
    ['an unspecific broker error, for the whole answer', { answer: -1 }],
  ])('%s is waited for, and then all records are delivered', async (_what, refusal) => {
    const consumer = consumerOver({ stored: [15, 16], start: 0, refusals: [refusal, refusal] });
    expect(await consumer.readFrom(15)).toBeNull();
    expect(consumer.seen).toEqual([15, 16]);
    expect(consumer.errors).toEqual([]);
  });

  test('a revoked permission is logged once and reported until the partition can be read again', async () => {
    const refusal = { partition: CODES.TOPIC_AUTHORIZATION_FAILED };
    const reported: (string | undefined)[] = [];
    const consumer: ReturnType<typeof consumerOver> = consumerOver({
      stored: [15],
      start: 0,
      refusals: [refusal, refusal],
      onRequest: () => reported.push(consumer.refusal()?.message),
    });
    expect(await consumer.readFrom(15)).toBeNull();
    const named = expect.stringMatching(/^t\/0 cannot be read: TOPIC_AUTHORIZATION_FAILED/);
    expect(consumer.warnings).toEqual([named]);
    expect(reported.slice(0, 3)).toEqual([undefined, named, named]);
    expect(consumer.refusal()).toBeNull();
  });

  test.each([
    ['of the partition', { partition: CODES.CORRUPT_MESSAGE }],
    ['of the whole answer', { answer: CODES.CORRUPT_MESSAGE }],
  ])('a permanent error %s stops the consumer', async (_what, refusal) => {
    const consumer = consumerOver({ stored: [15], start: 0, refusals: [refusal, refusal, refusal] });
    await consumer.readFrom(15);
    expect(consumer.errors).toHaveLength(1);
    expect(consumer.errors[0]!.message).toContain('CORRUPT_MESSAGE');
  });

  test('when no broker returns the bounds, they are requested with pauses and not with every fetch', async () => {
    let requests = 0;
    const refusals = Array.from({ length: 1_000 }, () => ({ partition: CODES.OFFSET_OUT_OF_RANGE }));
    const bounds = async () => {
      requests += 1;
      throw new BrokerError('offsets of t/0', CODES.CORRUPT_MESSAGE);
    };
    const consumer = consumerOver({ stored: [15], start: 0, refusals, bounds });
    void consumer.readFrom(15);
    for (let turn = 0; turn < 300; turn += 1) await new Promise(setImmediate);
    consumer.stop();
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThan(5);
    expect(consumer.warnings).toHaveLength(requests);
  });
});
