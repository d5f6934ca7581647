import { hash } from 'node:crypto';
import type { StoredRecord } from './port.ts';

/**
 * SHA-256, hex, of a record and its position: at the next start it shows whether the log is still the same. A length
 * precedes every part, and headers are sorted by name, so that no two records have the same encoding.
 */
export function recordDigest(record: StoredRecord): string {
  const { topic, partition, offset, key, value } = record;
  const headers = Object.entries(record.headers).sort(byName);
  const texts = ['cas/record/v1', topic, String(partition), String(offset), key, String(headers.length)];
  for (const [name, content] of headers) texts.push(name, content);
  let maxBytes = LENGTH_BYTES + value.length;
  for (const text of texts) maxBytes += LENGTH_BYTES + text.length * UTF8_BYTES_OF_UNIT;
  // One buffer, because the last record of every batch is digested and a record has two dozen parts.
  const bytes = Buffer.allocUnsafe(maxBytes);
  let end = 0;
  for (const text of texts) {
    const written = bytes.write(text, end + LENGTH_BYTES);
    end = bytes.writeUInt32BE(written, end) + written;
  }
  end = bytes.writeUInt32BE(value.length, end);
  bytes.set(value, end);
  return hash('sha256', bytes.subarray(0, end + value.length), 'hex');
}

const LENGTH_BYTES = 4;
/** Maximum. */
const UTF8_BYTES_OF_UNIT = 3;

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : a > b ? 1 : 0);
