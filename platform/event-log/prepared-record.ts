import { partitionOf } from './murmur2.ts';
import type { LogRecord } from './port.ts';
import { encodeRecord } from './record-format.ts';
import { recordBytes } from './record-size.ts';

/** A record as the embedded log stores it; its place and its time are given to it when it is written. */
export interface PreparedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly bytes: Buffer;
  /** As limits count it: `recordBytes`. */
  readonly size: number;
}

export const prepareRecord = (record: LogRecord, partitions: number): PreparedRecord => ({
  topic: record.topic,
  partition: partitionOf(record.key, partitions),
  bytes: encodeRecord(record),
  size: recordBytes(record),
});
