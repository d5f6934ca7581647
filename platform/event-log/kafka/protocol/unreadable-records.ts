import { LogGap } from '../../port.ts';
import type { UnreadableBatch } from './requests.ts';

/** Records are in the log but cannot be decoded: for readers they are missing. */
export class UnreadableRecords extends LogGap {
  constructor(
    topic: string,
    partition: number,
    offset: number,
    { codec, isDamaged, nextOffset }: Pick<UnreadableBatch, 'codec' | 'isDamaged' | 'nextOffset'>,
  ) {
    super(
      topic,
      partition,
      offset,
      `records ${isDamaged ? 'damaged in' : 'compressed with'} ${codec}`,
      nextOffset,
    );
    this.name = 'UnreadableRecords';
    this.message = `${topic}/${partition}: cannot read offsets ${offset} to ${nextOffset - 1}: ${isDamaged ? damaged(codec) : notRead(codec)}; nothing is skipped automatically.`;
  }
}

const notRead = (codec: string): string =>
  `these records are compressed with ${codec}; only gzip and uncompressed records are supported. Another program wrote them, or the topic's compression.type was changed. Set compression.type=uncompressed, and accept the loss of these records with "cas partitions"`;

const damaged = (codec: string): string =>
  `the bytes of this batch (compression: ${codec}) are damaged. Compare the copies of other brokers, and restore the log from a whole one; or accept the loss of these records with "cas partitions"`;
