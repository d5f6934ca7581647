import { createSerialQueue } from '#platform/flow/serial-queue.ts';
import type { AdmittedAudits } from '#platform/state/admitted-audits.ts';
import type { Admission } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';

/** Counts this process's audits that are not counted under an Idempotency-Key. */
export interface AdmittedCounts {
  /** Epoch of the log whose audits are counted. */
  readonly epoch: number;
  /** `acceptedAt`: Unix ms. Called when they are durable in the log; adds no cost to a request. */
  add(customerId: string, acceptedAt: number, count: number): void;
  /** Resolves when everything added before is written or dropped. */
  write(): Promise<void>;
}

interface CountingDependencies {
  readonly admission: Pick<Admission, 'countAdmitted'>;
  readonly epoch: number;
  readonly logger: Logger;
  readonly writeEveryMs?: number;
}

const WRITE_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
/**
 * Pending counts, one per customer and minute. Beyond this limit they are dropped, and the reconciliation shows
 * "unacknowledged".
 */
const MAX_WAITING = 20_000;

/**
 * Collects counts and writes them once a second, so that an audit needs no call to the state. A crash loses the last
 * second, and so does a write with an unknown outcome: it may have counted, and an audit that counts twice would look
 * like a lost one.
 */
export function createAdmittedCounts(dependencies: CountingDependencies): AdmittedCounts {
  const { admission, epoch, logger, writeEveryMs = WRITE_EVERY_MS } = dependencies;
  let waiting = new Map<string, AdmittedAudits>();
  let timer: NodeJS.Timeout | undefined;
  const writes = createSerialQueue();

  const writeOut = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const counts = [...waiting.values()];
    waiting = new Map();
    await admission.countAdmitted(counts).catch((err: unknown) => {
      const audits = counts.reduce((sum, { count }) => sum + count, 0);
      logger.warn({ err, audits }, 'failed to save admitted count');
    });
  };
  const write = (): Promise<void> => writes.run(writeOut);

  return {
    epoch,
    add(customerId, acceptedAt, count) {
      const name = `${customerId} ${Math.floor(acceptedAt / MINUTE_MS)}`;
      const known = waiting.get(name);
      if (known === undefined && waiting.size >= MAX_WAITING) return;
      waiting.set(name, {
        customerId,
        epoch,
        acceptedAt: Math.min(known?.acceptedAt ?? acceptedAt, acceptedAt),
        count: (known?.count ?? 0) + count,
      });
      timer ??= setTimeout(() => void write(), writeEveryMs).unref();
    },
    write,
  };
}
