import type { Apis, FetchedPartition, UnreadableBatch, WireRecord } from './requests.ts';
import { Decoder, decodeBatch, decodeMessages, type WireDecoder } from './wire.ts';

/** Version of the fetch request whose answers are decoded here; every supported broker knows it. */
export const FETCH_VERSION = 11;

const LENGTH_BYTES = 4;
/** Offsets within the header of a record batch, and its length. */
const LENGTH_AT = 8;
const MAGIC_AT = 16;
const ATTRIBUTES_AT = 21;
const LAST_OFFSET_DELTA_AT = 23;
const HEAD_BYTES = 61;
const BEFORE_LENGTH_COUNTS = 12;

const BATCHES = 2;
const CODEC_MASK = 7;
const READ_CODECS = new Set([0, 1]);
const CODEC_NAMES = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/**
 * Decodes the answer to a fetch. For one batch with an unknown codec or damaged bytes, the client's own decoder rejects
 * the whole answer with all its partitions; here, such a batch only ends the records of its own partition.
 */
export async function decodeFetchAnswer(payload: Buffer): Promise<Apis['Fetch']['response']> {
  const decoder = new Decoder(payload);
  decoder.readInt32(); // throttle time
  const errorCode = decoder.readInt16();
  decoder.readInt32(); // session
  const responses = await array(decoder, async () => ({
    topicName: decoder.readString(),
    partitions: await array(decoder, () => partitionOf(decoder, payload)),
  }));
  return { errorCode, responses };
}

async function partitionOf(decoder: WireDecoder, payload: Buffer): Promise<FetchedPartition> {
  const partition = decoder.readInt32();
  const errorCode = decoder.readInt16();
  const highWatermark = decoder.readInt64().toString();
  decoder.readInt64(); // last stable offset
  decoder.readInt64(); // start of the log
  const abortedTransactions = decoder.readInt32();
  for (let count = 0; count < abortedTransactions; count += 1) {
    decoder.readInt64(); // producer
    decoder.readInt64(); // first offset
  }
  decoder.readInt32(); // preferred replica
  const bytes = Math.max(0, decoder.readInt32());
  // Includes the length prefix, which the client's decoder of old formats expects.
  const withLength = payload.subarray(decoder.offset - LENGTH_BYTES, decoder.offset + bytes);
  const { messages, unreadable } = await recordsOf(withLength);
  decoder.forward(bytes);
  return { partition, errorCode, highWatermark, messages, unreadable };
}

interface Decoded {
  readonly messages: WireRecord[];
  readonly unreadable: UnreadableBatch | null;
}

/** The records up to the first unreadable batch. A batch cut off at the end is left for the next fetch. */
async function recordsOf(withLength: Buffer): Promise<Decoded> {
  const records = withLength.subarray(LENGTH_BYTES);
  const messages: WireRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= records.length; ) {
    if (records.readInt8(at + MAGIC_AT) !== BATCHES)
      return at === 0 ? inOldFormat(withLength) : { messages, unreadable: batchAt(records, at, true) };
    const length = records.readInt32BE(at + LENGTH_AT);
    const end = at + BEFORE_LENGTH_COUNTS + length;
    if (end > records.length) break;
    if (!READ_CODECS.has(codecAt(records, at))) return { messages, unreadable: batchAt(records, at, false) };
    // No batch can be shorter than its header.
    const decoded = end < at + HEAD_BYTES ? null : await recordsOrNull(records.subarray(at, end));
    if (decoded === null) return { messages, unreadable: batchAt(records, at, true) };
    for (const record of decoded) messages.push(record);
    at = end;
  }
  return { messages, unreadable: null };
}

/** Null when the bytes are complete but cannot be decoded, as with a damaged gzip stream. */
async function recordsOrNull(batch: Buffer): Promise<readonly WireRecord[] | null> {
  try {
    return (await decodeBatch(new Decoder(batch))).records;
  } catch {
    return null;
  }
}

/** The format before record batches; brokers no longer write it. */
async function inOldFormat(withLength: Buffer): Promise<Decoded> {
  try {
    return { messages: await decodeMessages(new Decoder(withLength)), unreadable: null };
  } catch {
    const offset = Number(withLength.readBigInt64BE(LENGTH_BYTES));
    return {
      messages: [],
      unreadable: { codec: 'an old format', isDamaged: true, offset, nextOffset: offset + 1 },
    };
  }
}

const codecAt = (records: Buffer, at: number): number => records.readInt16BE(at + ATTRIBUTES_AT) & CODEC_MASK;

function batchAt(records: Buffer, at: number, isDamaged: boolean): UnreadableBatch {
  const codec = codecAt(records, at);
  const offset = Number(records.readBigInt64BE(at));
  const lastOffsetDelta = Math.max(0, records.readInt32BE(at + LAST_OFFSET_DELTA_AT));
  const nextOffset = offset + lastOffsetDelta + 1;
  return { codec: CODEC_NAMES[codec] ?? `codec ${codec}`, isDamaged, offset, nextOffset };
}

async function array<Item>(decoder: WireDecoder, read: () => Promise<Item>): Promise<Item[]> {
  const items: Item[] = [];
  const length = decoder.readInt32();
  for (let count = 0; count < length; count += 1) items.push(await read());
  return items;
}
