import { partitionOf } from '../murmur2.ts';
import type { LogRecord } from '../port.ts';
import { recordBytes } from '../record-size.ts';
import { encodeRecord } from './record-format.ts';

/** A record as the embedded log stores it; offset and timestamp are assigned on write. */
export interface PreparedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly bytes: Buffer;
  /** Size as counted by all limits (`recordBytes`). */
  readonly size: number;
}

export const prepareRecord = (record: LogRecord, partitions: number): PreparedRecord => ({
  topic: record.topic,
  partition: partitionOf(record.key, partitions),
  bytes: encodeRecord(record),
  size: recordBytes(record),
});
