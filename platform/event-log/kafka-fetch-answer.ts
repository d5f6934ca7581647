import type { Apis, FetchedPartition, UnreadableBatch } from './kafka-requests.ts';
import { Decoder, decodeMessages, type WireDecoder } from './kafka-wire.ts';

/** The version of the request whose answers are decoded here; every broker that is supported speaks it. */
export const FETCH_VERSION = 11;

const LENGTH_BYTES = 4;
/** Places within the head of a batch of records, and where it ends. */
const LENGTH_AT = 8;
const MAGIC_AT = 16;
const ATTRIBUTES_AT = 21;
const LAST_OFFSET_DELTA_AT = 23;
const HEAD_BYTES = 27;
const BEFORE_LENGTH_COUNTS = 12;

const BATCHES = 2;
const CODEC_MASK = 7;
const READ_CODECS = new Set([0, 1]);
const CODEC_NAMES = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/**
 * Decodes the answer to a fetch. The client's own decoder gives up a whole answer, with all its partitions, for one
 * batch of a codec that it does not know; here such a batch ends what is taken of its partition.
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
  const records = payload.subarray(decoder.offset, decoder.offset + bytes);
  const unreadable = firstUnreadable(records);
  // The client's decoder reads a length and as many bytes. Nobody else reads the answer, so it may be changed.
  const readable = unreadable?.at ?? bytes;
  payload.writeInt32BE(readable, decoder.offset - LENGTH_BYTES);
  const withLength = payload.subarray(decoder.offset - LENGTH_BYTES, decoder.offset + readable);
  const messages = await decodeMessages(new Decoder(withLength));
  decoder.forward(bytes);
  return { partition, errorCode, highWatermark, messages, unreadable: unreadable?.batch ?? null };
}

/** The first batch of a codec that is not read, and at which byte it begins. */
function firstUnreadable(records: Buffer): { at: number; batch: UnreadableBatch } | null {
  for (let at = 0; at + HEAD_BYTES <= records.length; ) {
    if (records.readInt8(at + MAGIC_AT) !== BATCHES) break;
    const codec = records.readInt16BE(at + ATTRIBUTES_AT) & CODEC_MASK;
    if (!READ_CODECS.has(codec)) {
      const offset = Number(records.readBigInt64BE(at));
      const nextOffset = offset + records.readInt32BE(at + LAST_OFFSET_DELTA_AT) + 1;
      return { at, batch: { codec: CODEC_NAMES[codec] ?? `codec ${codec}`, offset, nextOffset } };
    }
    const length = records.readInt32BE(at + LENGTH_AT);
    if (length < 0) break;
    at += BEFORE_LENGTH_COUNTS + length;
  }
  return null;
}

async function array<Item>(decoder: WireDecoder, read: () => Promise<Item>): Promise<Item[]> {
  const items: Item[] = [];
  const length = decoder.readInt32();
  for (let count = 0; count < length; count += 1) items.push(await read());
  return items;
}
