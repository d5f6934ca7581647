import type { LogRecord } from './port.ts';

/** More than any adapter's framing of one record (Kafka: batch header, attributes, varints). */
const FRAMING_BYTES = 128;
const HEADER_FRAMING_BYTES = 10;

/**
 * Size of a record as counted by all limits: an upper bound of the space it takes in the log. It is the same for all
 * adapters, so that a record that fits one fits the others. Throws `TypeError` when a header is not a string.
 */
export function recordBytes(record: LogRecord): number {
  let bytes = FRAMING_BYTES + Buffer.byteLength(record.key) + record.value.length;
  // Not `Object.entries`, which makes an array for each header.
  for (const name in record.headers) {
    bytes += HEADER_FRAMING_BYTES + Buffer.byteLength(name) + Buffer.byteLength(record.headers[name]!);
  }
  return bytes;
}
