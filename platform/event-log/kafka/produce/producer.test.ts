import { describe, expect, test } from '#jest';
import { type AppendError, type Appended, AppendFailure, type LogRecord } from '../../port.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { CODES, ConnectionLost, Unreachable } from '../protocol/errors.ts';
import type { Apis } from '../protocol/requests.ts';
import { createKafkaProducer } from './producer.ts';

type Produce = Apis['Produce']['request'];
/** How the broker responds to one request: an error code, an offset, or a connection error. */
type Answer = { readonly code: number } | { readonly offset: number } | Error;

const PARTITIONS = 1;
const record = (key: string): LogRecord => ({ topic: 't', key, value: Buffer.from(key), headers: {} });

/** A producer against a scripted broker; records the producer id and the first sequence number of each request. */
function scripted(answers: Answer[], { timeoutMs = 5_000 } = {}) {
  const sent: { producer: string; sequence: number; count: number }[] = [];
  let producers = 0;
  const answerOf = (payload: Produce): Apis['Produce']['response'] => {
    const [topic] = payload.topicData;
    const [partition] = topic!.partitions;
    const { firstSequence, messages } = partition!;
    sent.push({ producer: payload.producerId, sequence: firstSequence, count: messages.length });
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof Error) throw answer;
    const result =
      'code' in answer
        ? { errorCode: answer.code, baseOffset: '-1' }
        : { errorCode: 0, baseOffset: `${answer.offset}` };
    return { topics: [{ topicName: 't', partitions: [{ partition: 0, logAppendTime: '77', ...result }] }] };
  };
  const pool = {
    request: async (_node: number, name: string, payload: object) => {
      if (name === 'Produce') return answerOf(payload as Produce);
      producers += 1;
      return { errorCode: 0, producerId: `p${producers}`, producerEpoch: 0 };
    },
    close: () => undefined,
  } as ConnectionPool;
  const cluster = {
    leader: () => 1,
    anyNode: () => 1,
    refresh: async () => undefined,
    replaced: null,
  } as unknown as KafkaCluster;
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { append } = createKafkaProducer({
    cluster,
    pool,
    partitions: () => PARTITIONS,
    timeoutMs,
    requestTimeoutMs: 1_000,
    batchDelayMs: 0,
    limits: { records: 500, bytes: 3 * 1024 * 1024 },
    maxWaitingBytes: 64 * 1024 * 1024,
    logger,
  });
  const write = (records: readonly LogRecord[]) => outcomesOf(append(records));
  return { write, sent };
}

const outcomesOf = (appending: Promise<Appended[]>): Promise<readonly (Appended | AppendFailure)[]> =>
  appending.catch((error: AppendError) => error.outcomes);

const lost = () => new ConnectionLost('cut');
const outcome = async (written: Promise<readonly (Appended | AppendFailure)[]>) => (await written)[0];

describe('kafka producer', () => {
  test('each record gets its own offset, and the log’s time', async () => {
    const { write } = scripted([{ offset: 40 }]);
    expect(await write([record('a'), record('b')])).toEqual([
      { partition: 0, offset: 40, timestamp: 77 },
      { partition: 0, offset: 41, timestamp: 77 },
    ]);
  });

  test('sequence numbers follow the stored records', async () => {
    const { write, sent } = scripted([{ offset: 0 }]);
    await write([record('a'), record('b'), record('c')]);
    await write([record('d')]);
    expect(sent).toEqual([
      { producer: 'p1', sequence: 0, count: 3 },
      { producer: 'p1', sequence: 3, count: 1 },
    ]);
  });

  test('a request without an answer is repeated under the same sequence numbers', async () => {
    const { write, sent } = scripted([lost(), { code: CODES.NOT_LEADER }, { offset: 9 }]);
    expect(await outcome(write([record('a')]))).toMatchObject({ offset: 9 });
    expect(sent).toEqual(new Array(3).fill({ producer: 'p1', sequence: 0, count: 1 }));
  });

  test('a request that is never answered fails as uncertain, and the next write has a new producer', async () => {
    const { write, sent } = scripted([lost()], { timeoutMs: 200 });
    expect(await outcome(write([record('a')]))).toMatchObject({ certain: false });
    await write([record('b')]);
    expect(sent[0]!.producer).toBe('p1');
    expect(sent.at(-1)).toEqual({ producer: 'p2', sequence: 0, count: 1 });
  });

  test('a request that is never sent fails with certainty, and the producer stays', async () => {
    const { write, sent } = scripted([new Unreachable('away')], { timeoutMs: 200 });
    expect(await outcome(write([record('a')]))).toMatchObject({ certain: true });
    await write([record('b')]);
    expect(new Set(sent.map(({ producer, sequence }) => `${producer}:${sequence}`))).toEqual(
      new Set(['p1:0']),
    );
  });

  test.each([
    ['too few replicas, before storing', CODES.NOT_ENOUGH_REPLICAS, true],
    ['too few replicas, after storing', CODES.NOT_ENOUGH_REPLICAS_AFTER_APPEND, false],
    ['replicas that took too long', CODES.REQUEST_TIMED_OUT, false],
    ['no leader', CODES.NOT_LEADER, true],
  ])('an append with %s is retried and finally fails', async (_what, code, certain) => {
    const { write, sent } = scripted([{ code }], { timeoutMs: 200 });
    expect(await outcome(write([record('a')]))).toMatchObject({ certain });
    expect(sent.length).toBeGreaterThan(1);
  });

  test('a refusal is certain and not retried', async () => {
    const { write, sent } = scripted([{ code: 10 }, { offset: 3 }]);
    expect(await outcome(write([record('a')]))).toMatchObject({ certain: true });
    expect(await outcome(write([record('b')]))).toMatchObject({ offset: 3 });
    expect(sent).toEqual(new Array(2).fill({ producer: 'p1', sequence: 0, count: 1 }));
  });

  test('a refusal after a lost answer is uncertain, because the first request may have been stored', async () => {
    const { write } = scripted([lost(), { code: 10 }]);
    expect(await outcome(write([record('a')]))).toMatchObject({ certain: false });
  });

  test('a broker that lost track of the producer gets the batch from a new one', async () => {
    const { write, sent } = scripted([{ offset: 0 }, { code: CODES.OUT_OF_ORDER_SEQUENCE }, { offset: 5 }]);
    await write([record('a')]);
    expect(await outcome(write([record('b')]))).toMatchObject({ offset: 5 });
    expect(sent.slice(1)).toEqual([
      { producer: 'p1', sequence: 1, count: 1 },
      { producer: 'p2', sequence: 0, count: 1 },
    ]);
  });

  test('a batch that may be stored is not sent by a new producer, which could store it twice', async () => {
    const { write, sent } = scripted([{ offset: 0 }, lost(), { code: CODES.OUT_OF_ORDER_SEQUENCE }]);
    await write([record('a')]);
    const failure = await outcome(write([record('b')]));
    expect(failure).toBeInstanceOf(AppendFailure);
    expect(failure).toMatchObject({ certain: false });
    expect(new Set(sent.map(({ producer }) => producer))).toEqual(new Set(['p1']));
  });
});
