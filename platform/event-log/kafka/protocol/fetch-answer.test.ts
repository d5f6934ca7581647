import { gzipSync } from 'node:zlib';
import { expect, test } from '#jest';
import { decodeFetchAnswer } from './fetch-answer.ts';

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
};
/** A varint of the format; only for numbers below 64. */
const short = (value: number): Buffer => Buffer.from([value * 2]);

const record = (offsetDelta: number, value: string): Buffer => {
  const none = Buffer.from([1]);
  const body = Buffer.concat([
    Buffer.from([0]),
    short(0),
    short(offsetDelta),
    none,
    short(value.length),
    Buffer.from(value),
    short(0),
  ]);
  return Buffer.concat([short(body.length), body]);
};

const recordsOf = (values: readonly string[]): Buffer =>
  Buffer.concat(values.map((value, delta) => record(delta, value)));

/**
 * A batch as Kafka stores it (format 2). `compressed`: the bytes that replace the records for a codec above 0; by
 * default undecodable bytes.
 */
function batch(offset: number, values: readonly string[], codec = 0, compressed?: Buffer): Buffer {
  const records = recordsOf(values);
  const head = [
    int16(codec),
    int32(values.length - 1),
    int64(1_000),
    int64(1_000),
    int64(-1),
    int16(-1),
    int32(-1),
  ];
  const body = [...head, int32(values.length), codec === 0 ? records : (compressed ?? Buffer.from('?????'))];
  const rest = Buffer.concat([int32(0), Buffer.from([2]), int32(0), ...body]);
  return Buffer.concat([int64(offset), int32(rest.length), rest]);
}

const partition = (number: number, batches: readonly Buffer[], cutOff = 0): Buffer => {
  const records = Buffer.concat(batches).subarray(0, Buffer.concat(batches).length - cutOff);
  const aborted = [int32(1), int64(7), int64(8)];
  const head = [int32(number), int16(0), int64(90), int64(90), int64(0), ...aborted, int32(-1)];
  return Buffer.concat([...head, int32(records.length), records]);
};

const answer = (...partitions: readonly Buffer[]): Buffer =>
  Buffer.concat([
    ...[int32(0), int16(0), int32(0), int32(1), int16(1), Buffer.from('t')],
    ...[int32(partitions.length), ...partitions],
  ]);

const valuesOf = (messages: readonly { offset: string; value: Buffer | null }[]): string[] =>
  messages.map(({ offset, value }) => `${offset} ${value?.toString()}`);

test.each([
  [2, 'snappy'],
  [3, 'lz4'],
  [4, 'zstd'],
  [5, 'codec 5'],
])('a batch of codec %i ends only its own partition, and is named as %s', async (codec, name) => {
  const payload = answer(
    partition(0, [batch(10, ['a', 'b'])]),
    partition(1, [batch(20, ['c']), batch(21, ['x', 'y', 'z'], codec), batch(24, ['d'])]),
    partition(2, [batch(30, ['u', 'v'], codec)]),
    partition(3, [batch(40, ['e']), batch(41, ['f'])]),
  );
  const { responses } = await decodeFetchAnswer(payload);
  expect(responses).toHaveLength(1);
  const partitions = responses[0]!.partitions;
  expect(partitions.map((each) => valuesOf(each.messages))).toEqual([
    ['10 a', '11 b'],
    ['20 c'],
    [],
    ['40 e', '41 f'],
  ]);
  expect(partitions.map(({ unreadable }) => unreadable)).toEqual([
    null,
    { codec: name, isDamaged: false, offset: 21, nextOffset: 24 },
    { codec: name, isDamaged: false, offset: 30, nextOffset: 32 },
    null,
  ]);
  expect(partitions.map(({ highWatermark }) => highWatermark)).toEqual(['90', '90', '90', '90']);
});

const gzipped = (values: readonly string[]): Buffer => gzipSync(recordsOf(values));
const flipped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy[copy.length - 6]! ^= 0xff;
  return copy;
};

test.each([
  ['whose checksum is another', 1, flipped(gzipped(['x', 'y', 'z']))],
  ['that ends too early', 1, gzipped(['x', 'y', 'z']).subarray(0, -9)],
  ['with fewer records than its head says', 1, gzipped(['x'])],
  ['of bytes that are no gzip', 1, Buffer.from('?????')],
])('a gzip batch %s ends only its own partition, and is named as damaged', async (_what, codec, bytes) => {
  const whole = gzipped(['c', 'd']);
  const payload = answer(
    partition(0, [batch(10, ['a', 'b'])]),
    partition(1, [
      batch(20, ['c', 'd'], 1, whole),
      batch(22, ['x', 'y', 'z'], codec, bytes),
      batch(25, ['e']),
    ]),
    partition(2, [batch(40, ['e']), batch(41, ['f'])]),
  );
  const { responses } = await decodeFetchAnswer(payload);
  const partitions = responses[0]!.partitions;
  expect(partitions.map((each) => valuesOf(each.messages))).toEqual([
    ['10 a', '11 b'],
    ['20 c', '21 d'],
    ['40 e', '41 f'],
  ]);
  expect(partitions.map(({ unreadable }) => unreadable)).toEqual([
    null,
    { codec: 'gzip', isDamaged: true, offset: 22, nextOffset: 25 },
    null,
  ]);
});

test.each([-1, 0, 48])(
  'a batch with a stated length of %i bytes is damaged, and decoding does not loop',
  async (length) => {
    const bad = batch(11, ['x']);
    bad.writeInt32BE(length, 8);
    const payload = answer(
      partition(0, [batch(10, ['a']), bad, batch(12, ['b'])]),
      partition(1, [batch(20, ['c'])]),
    );
    const { responses } = await decodeFetchAnswer(payload);
    const partitions = responses[0]!.partitions;
    expect(partitions.map((each) => valuesOf(each.messages))).toEqual([['10 a'], ['20 c']]);
    expect(partitions.map(({ unreadable }) => unreadable)).toEqual([
      { codec: 'none', isDamaged: true, offset: 11, nextOffset: 12 },
      null,
    ]);
  },
);

test('a batch that is cut off at the end is left for the next fetch', async () => {
  for (const cutOff of [1, 30, 60]) {
    const payload = answer(
      partition(0, [batch(10, ['a']), batch(11, ['b'])], cutOff),
      partition(1, [batch(20, ['c'])]),
    );
    const { responses } = await decodeFetchAnswer(payload);
    expect(responses[0]!.partitions.map((each) => valuesOf(each.messages))).toEqual([['10 a'], ['20 c']]);
  }
});

test('an answer without records has no records', async () => {
  const { responses } = await decodeFetchAnswer(answer(partition(0, [])));
  expect(responses[0]!.partitions[0]).toMatchObject({ partition: 0, messages: [], unreadable: null });
});
