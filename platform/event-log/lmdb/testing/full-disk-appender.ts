/**
 * Appends to an embedded log whose file may not exceed a limit set by the parent: the second process of the full-disk
 * test. Argument: the folder. Prints JSON of `FullDiskReport`.
 */
import { TOPICS, TRIPLETS } from '#schemas/topics.ts';
import { AppendError, AppendFailure } from '../../port.ts';
import { openEmbeddedLog } from '../event-log.ts';

export interface FullDiskReport {
  /** For each acknowledged record, its offset and the byte that fills its value; all are in one partition. */
  readonly stored: readonly { readonly partition: number; readonly offset: number; readonly byte: number }[];
  /** `certain` of each failure. */
  readonly failures: readonly boolean[];
}

const RECORDS = 40;
const VALUE_BYTES = 100_000;

const log = await openEmbeddedLog({ path: process.argv[2] ?? '', topics: TOPICS });
const stored: { partition: number; offset: number; byte: number }[] = [];
const failures: boolean[] = [];
for (let byte = 0; byte < RECORDS; byte += 1) {
  const value = Buffer.alloc(VALUE_BYTES, byte);
  try {
    const [appended] = await log.append([{ topic: TRIPLETS.name, key: 'k', value, headers: {} }]);
    stored.push({ partition: appended!.partition, offset: appended!.offset, byte });
  } catch (error) {
    if (!(error instanceof AppendError)) throw error;
    failures.push(...error.outcomes.map((outcome) => outcome instanceof AppendFailure && outcome.certain));
  }
}
await log.close();
process.stdout.write(JSON.stringify({ stored, failures } satisfies FullDiskReport));
