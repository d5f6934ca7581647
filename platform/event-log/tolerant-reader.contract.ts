import { type Reader, startReader, textOf } from './harness.contract.ts';
import { type EventLog, LogUnavailable, StalePartition } from './port.ts';

/** A reader that survives outages, as services do; the contract's own reader stops at the first one. */
export async function startTolerantReader(
  log: EventLog,
  group: string,
  topic: string,
  handled = new Set<string>(),
): Promise<Reader> {
  let started: (reader: Reader) => void = () => undefined;
  const whenStarted = new Promise<Reader>((resolve) => {
    started = resolve;
  });
  const reader = await startReader(log, group, [topic], {
    commits: false,
    onBatch: async (batch, signal) => {
      // Before the commit: a commit whose answer is lost may have succeeded, and then the batch is not redelivered.
      for (const each of batch.records) handled.add(textOf(each));
      const { consumer } = await whenStarted;
      for (let done = false; !done && !signal.aborted; ) {
        done = await consumer.commit(batch.topic, batch.partition, batch.nextOffset).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof LogUnavailable || error instanceof StalePartition)) throw error;
            return false;
          },
        );
      }
    },
  });
  started(reader);
  return reader;
}
