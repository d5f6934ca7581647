import { hash } from 'node:crypto';
import type { StoredRecord } from './port.ts';

/**
 * SHA-256, hex, of a record and its position: shows at the next start whether the log is still the one that was read.
 * Every part is preceded by its length, and headers are ordered by name, so that no two records have the same encoding.
 */
export function recordDigest(record: StoredRecord): string {
  const { topic, partition, offset, key, value } = record;
  const headers = Object.entries(record.headers).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const texts = ['cas/record/v1', topic, String(partition), String(offset), key, String(headers.length)];
  const parts = [...texts, ...headers.flat()].map((text) => Buffer.from(text, 'utf8'));
  return hash('sha256', Buffer.concat([...parts, value].flatMap((part) => [lengthOf(part), part])), 'hex');
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(part.length);
  return length;
}
