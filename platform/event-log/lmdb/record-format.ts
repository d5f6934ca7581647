import type { LogRecord } from '../port.ts';

/**
 * Layout of a record in the embedded log:
 *
 *   version u8 | timestamp u48 | headers length u32 | key length u32 | headers (JSON) | key (UTF-8) | value
 *
 * Integers are big-endian. Topic, partition and offset are the LMDB key and are not repeated.
 */
const VERSION = 1;
const TIMESTAMP_AT = 1;
const HEADERS_LENGTH_AT = 7;
const KEY_LENGTH_AT = 11;
const BODY_AT = 15;

interface DecodedRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestamp: number;
}

/** The bytes of a record; `stampRecord` sets their timestamp. */
export function encodeRecord(record: LogRecord, timestamp = 0): Buffer {
  const headers = JSON.stringify(record.headers);
  const headersLength = Buffer.byteLength(headers);
  const keyLength = Buffer.byteLength(record.key);
  const bytes = Buffer.allocUnsafe(BODY_AT + headersLength + keyLength + record.value.length);
  bytes[0] = VERSION;
  bytes.writeUIntBE(timestamp, TIMESTAMP_AT, 6);
  bytes.writeUInt32BE(headersLength, HEADERS_LENGTH_AT);
  bytes.writeUInt32BE(keyLength, KEY_LENGTH_AT);
  bytes.write(headers, BODY_AT, 'utf8');
  bytes.write(record.key, BODY_AT + headersLength, 'utf8');
  record.value.copy(bytes, BODY_AT + headersLength + keyLength);
  return bytes;
}

/** `timestamp`: when the log took the record, Unix ms. */
export const stampRecord = (bytes: Buffer, timestamp: number): void => {
  bytes.writeUIntBE(timestamp, TIMESTAMP_AT, 6);
};

/** The value is a view of `bytes`. Throws when the bytes were written by a newer version or are damaged. */
export function decodeRecord(bytes: Buffer): DecodedRecord {
  checkVersion(bytes);
  const keyAt = BODY_AT + bytes.readUInt32BE(HEADERS_LENGTH_AT);
  const valueAt = keyAt + bytes.readUInt32BE(KEY_LENGTH_AT);
  if (valueAt > bytes.length)
    throw new Error('a stored record of the event log is cut short; restore the log');
  return {
    headers: JSON.parse(bytes.toString('utf8', BODY_AT, keyAt)),
    key: bytes.toString('utf8', keyAt, valueAt),
    value: bytes.subarray(valueAt),
    timestamp: decodeTimestamp(bytes),
  };
}

/** Time of a stored record, Unix ms, without decoding the rest. */
export function decodeTimestamp(bytes: Buffer): number {
  checkVersion(bytes);
  return bytes.readUIntBE(TIMESTAMP_AT, 6);
}

function checkVersion(bytes: Buffer): void {
  if (bytes.length < BODY_AT || bytes[0] !== VERSION) {
    throw new Error(
      `a stored record of the event log has format ${bytes[0] ?? 'none'}, this version reads ${VERSION}; run the version that wrote it`,
    );
  }
}
