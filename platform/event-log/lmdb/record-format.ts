import { crc32 } from 'node:zlib';
import type { LogRecord } from '../port.ts';

/**
 * Layout of a record in the embedded log:
 *
 * version u8 | checksum u32 | timestamp u48 | headers length u32 | key length u32 | headers (JSON) | key (UTF-8) |
 * value
 *
 * Integers are big-endian. The checksum (CRC-32) covers everything after it. Topic, partition and offset are the LMDB
 * key and are not repeated. Version 1 has no checksum; it is still read, but no longer written.
 */
const VERSION = 2;
const VERSION_WITHOUT_CHECKSUM = 1;
const CHECKSUM_AT = 1;
const CHECKSUM_BYTES = 4;
const TIMESTAMP_AT = CHECKSUM_AT + CHECKSUM_BYTES;
/** Counted from the start of the timestamp. */
const HEADERS_LENGTH_AFTER = 6;
const KEY_LENGTH_AFTER = 10;
const BODY_AFTER = 14;

interface DecodedRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestamp: number;
}

/** The bytes of a record; complete only after `stampRecord` has set its timestamp. */
export function encodeRecord(record: LogRecord): Buffer {
  const headers = JSON.stringify(record.headers);
  const headersLength = Buffer.byteLength(headers);
  const keyLength = Buffer.byteLength(record.key);
  const headersAt = TIMESTAMP_AT + BODY_AFTER;
  const keyAt = headersAt + headersLength;
  const bytes = Buffer.allocUnsafe(keyAt + keyLength + record.value.length);
  bytes[0] = VERSION;
  bytes.writeUInt32BE(headersLength, TIMESTAMP_AT + HEADERS_LENGTH_AFTER);
  bytes.writeUInt32BE(keyLength, TIMESTAMP_AT + KEY_LENGTH_AFTER);
  bytes.write(headers, headersAt, 'utf8');
  bytes.write(record.key, keyAt, 'utf8');
  record.value.copy(bytes, keyAt + keyLength);
  return bytes;
}

/** Sets the time at which the log stores the record (Unix ms), and then the checksum. */
export function stampRecord(bytes: Buffer, timestamp: number): void {
  bytes.writeUIntBE(timestamp, TIMESTAMP_AT, 6);
  bytes.writeUInt32BE(checksumOf(bytes), CHECKSUM_AT);
}

/** Null when the bytes are damaged. The value is a view of `bytes`. */
export function decodeRecord(bytes: Buffer): DecodedRecord | null {
  const timestampAt = wholeFrom(bytes);
  if (timestampAt === null) return null;
  const headersAt = timestampAt + BODY_AFTER;
  const keyAt = headersAt + bytes.readUInt32BE(timestampAt + HEADERS_LENGTH_AFTER);
  const valueAt = keyAt + bytes.readUInt32BE(timestampAt + KEY_LENGTH_AFTER);
  const headers = valueAt > bytes.length ? null : parseHeaders(bytes.toString('utf8', headersAt, keyAt));
  if (headers === null) return null;
  return {
    headers,
    key: bytes.toString('utf8', keyAt, valueAt),
    value: bytes.subarray(valueAt),
    timestamp: bytes.readUIntBE(timestampAt, 6),
  };
}

/** Time of a stored record, Unix ms, without decoding the rest; null when the bytes are damaged. */
export function decodeTimestamp(bytes: Buffer): number | null {
  const timestampAt = wholeFrom(bytes);
  return timestampAt === null ? null : bytes.readUIntBE(timestampAt, 6);
}

/** Start of the timestamp; null when the bytes are damaged. */
function wholeFrom(bytes: Buffer): number | null {
  if (bytes[0] === VERSION_WITHOUT_CHECKSUM)
    return bytes.length < CHECKSUM_AT + BODY_AFTER ? null : CHECKSUM_AT;
  if (bytes[0] !== VERSION || bytes.length < TIMESTAMP_AT + BODY_AFTER) return null;
  return bytes.readUInt32BE(CHECKSUM_AT) === checksumOf(bytes) ? TIMESTAMP_AT : null;
}

const checksumOf = (bytes: Buffer): number => crc32(bytes.subarray(TIMESTAMP_AT));

/** Only records without a checksum can fail here. */
function parseHeaders(json: string): Record<string, string> | null {
  try {
    return JSON.parse(json) as Record<string, string>;
  } catch {
    return null;
  }
}
