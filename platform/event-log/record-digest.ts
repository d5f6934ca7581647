import { createHash } from 'node:crypto';
import type { StoredRecord } from './port.ts';

/**
 * SHA-256, hex, of a record and its position: shows at the next start whether the log is still the one that was read.
 * Every part is preceded by its length, and headers are ordered by name, so that no two records have the same encoding.
 */
export function recordDigest(record: StoredRecord): string {
  const hash = createHash('sha256');
  const add = (part: string | Buffer): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  const headers = Object.entries(record.headers).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  add('cas/record/v1');
  add(record.topic);
  add(String(record.partition));
  add(String(record.offset));
  add(record.key);
  add(String(headers.length));
  for (const [name, value] of headers) {
    add(name);
    add(value);
  }
  add(record.value);
  return hash.digest('hex');
}
