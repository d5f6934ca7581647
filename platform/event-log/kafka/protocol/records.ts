import type { StoredRecord } from '../../port.ts';
import type { WireRecord } from './requests.ts';

/** A record in the port's form. The value is copied: a view would keep the whole fetched answer in memory. */
export function storedRecord(topic: string, partition: number, wire: WireRecord): StoredRecord {
  return {
    topic,
    partition,
    offset: Number(wire.offset),
    timestamp: Number(wire.timestamp),
    key: wire.key?.toString('utf8') ?? '',
    value: wire.value === null ? Buffer.alloc(0) : Buffer.from(wire.value),
    headers: headersOf(wire.headers),
  };
}

/** Other writers may repeat a header; the last one counts. */
function headersOf(headers: WireRecord['headers']): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : (value as Buffer | null);
    texts[name] = last?.toString('utf8') ?? '';
  }
  return texts;
}
