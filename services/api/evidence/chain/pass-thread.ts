import { type MessagePort, workerData } from 'node:worker_threads';
import { answerCalls, callOver } from '#platform/threads/calls.ts';
import { lowerPriority } from '#platform/threads/lower-priority.ts';
import { openWarehouse, type WarehouseOptions } from '#platform/warehouse/client/clickhouse.ts';
import type { LedgerPass } from './pass.ts';
import { passesHere } from './passes.ts';

/** Data that the thread gets from its parent. */
export interface PassThreadStart {
  readonly warehouse: Omit<WarehouseOptions, 'logger'>;
  /** Calls to this thread: `run`, `give up`. Progress is sent back. */
  readonly control: MessagePort;
  /** Calls from this thread: `logEnd`. */
  readonly log: MessagePort;
}

export interface Progress {
  readonly of: number;
  readonly checkedEntries: number;
}

/** Main module of the thread that verifies ledgers: rows are read, parsed and hashed here. */
const { warehouse, control, log } = workerData as PassThreadStart;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const main = callOver(log);
const passes = passesHere({
  warehouse: openWarehouse({ ...warehouse, logger: silent }),
  logEnd: (customerId) => main.call<number>('logEnd', [customerId]),
});
const running = new Map<number, AbortController>();
// Requests take precedence when cores are scarce.
lowerPriority();

answerCalls(control, {
  run: async (number: number, pass: LedgerPass) => {
    const stop = new AbortController();
    running.set(number, stop);
    const onProgress = (checkedEntries: number): void =>
      control.postMessage({ of: number, checkedEntries } satisfies Progress);
    try {
      return await passes.run(pass, { gone: stop.signal, onProgress });
    } finally {
      running.delete(number);
    }
  },
  'give up': (number: number) => running.get(number)?.abort(),
});
