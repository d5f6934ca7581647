import { MessageChannel, Worker } from 'node:worker_threads';
import type { ChainVerification } from '#core/evidence/verify/verify.ts';
import { compiledModule } from '#platform/config/package-root.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import { ServiceError } from '#platform/flow/service-error.ts';
import { answerCalls, type Caller, callOver } from '#platform/threads/calls.ts';
import type { WarehouseOptions } from '#platform/warehouse/client/clickhouse.ts';
import { WarehouseDamaged } from '#platform/warehouse/port.ts';
import type { LedgerPasses } from './pass.ts';
import type { PassThreadStart, Progress } from './pass-thread.ts';
import { logEndOf } from './passes.ts';

const MIB = 2 ** 20;
/** Two chunks of rows of two passes, and the erasures of sixteen ledgers. A pass that needs more ends the thread. */
const MAX_HEAP_BYTES = 256 * MIB;

/** A pass without a result: the warehouse or the thread failed. The same call may succeed later. */
class PassFailed extends ServiceError {
  constructor(message: string) {
    super(`the verification failed: ${message}`);
    this.name = 'PassFailed';
  }
}

interface PassThreadOptions {
  readonly warehouse: Omit<WarehouseOptions, 'logger'>;
  readonly log: Pick<EventLog, 'bounds'>;
  /** Called when a pass finds rows that cannot be read. */
  readonly onDamage?: (what: string) => void;
}

/**
 * A thread that reads and hashes ledgers, so that no request waits for it; started on demand, and again after it died.
 */
export function passesInThread({
  warehouse,
  log,
  onDamage = () => undefined,
}: PassThreadOptions): LedgerPasses & { close(): Promise<void> } {
  let thread: { readonly worker: Worker; readonly caller: Caller } | null = null;
  const listeners = new Map<number, (checkedEntries: number) => void>();
  let passes = 0;

  const start = (): Caller => {
    const [control, calls] = [new MessageChannel(), new MessageChannel()];
    answerCalls(calls.port1, { logEnd: logEndOf(log) });
    const given = { warehouse, control: control.port2, log: calls.port2 } satisfies PassThreadStart;
    const worker = new Worker(compiledModule('services/api/evidence/chain/pass-thread.ts'), {
      name: 'verification',
      workerData: given,
      transferList: [control.port2, calls.port2],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_BYTES / MIB },
    });
    const caller = callOver(
      control.port1,
      ({ name, message }) =>
        name === 'WarehouseDamaged' ? new WarehouseDamaged(message, 0) : new PassFailed(message),
      (message) => {
        const { of, checkedEntries } = message as Progress;
        listeners.get(of)?.(checkedEntries);
      },
    );
    const own = { worker, caller };
    const forget = (): void => {
      caller.close();
      calls.port1.close();
      if (thread === own) thread = null;
    };
    // Callers that wait for a pass learn of it through the port. Without a listener the error would end the process.
    control.port1.on('close', forget);
    worker.on('error', forget).on('exit', forget).unref();
    control.port1.unref();
    calls.port1.unref();
    thread = own;
    return caller;
  };

  return {
    run: async (pass, { gone, onProgress }) => {
      const caller = thread?.caller ?? start();
      passes += 1;
      const number = passes;
      if (onProgress !== undefined) listeners.set(number, onProgress);
      const giveUp = (): void => void caller.call('give up', [number]).catch(() => undefined);
      gone.addEventListener('abort', giveUp);
      try {
        const found = await caller.call<ChainVerification>('run', [number, pass]);
        if (found.errors.some(({ reason }) => reason === 'DAMAGED'))
          onDamage(`cannot read ledger entries of customer ${pass.customerId}`);
        return found;
      } finally {
        gone.removeEventListener('abort', giveUp);
        listeners.delete(number);
      }
    },
    close: async () => {
      await thread?.worker.terminate();
    },
  };
}
