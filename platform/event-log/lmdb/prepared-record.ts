import { partitionOf } from '../murmur2.ts';
import type { LogRecord } from '../port.ts';
import { recordBytes } from '../record-size.ts';
import { encodeRecord } from './record-format.ts';

/** A record as the embedded log stores it; its offset and its timestamp are assigned when it is written. */
export interface PreparedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly bytes: Buffer;
  /** Size that counts against limits: `recordBytes`. */
  readonly size: number;
}

export const prepareRecord = (record: LogRecord, partitions: number): PreparedRecord => ({
  topic: record.topic,
  partition: partitionOf(record.key, partitions),
  bytes: encodeRecord(record),
  size: recordBytes(record),
});
