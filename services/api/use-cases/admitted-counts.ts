import type { Logger } from '../../../platform/runtime/logger.ts';
import type { Admission, AdmittedAudits } from '../../../platform/state/port.ts';

/** Counts audits of this process that no Idempotency-Key counts. */
export interface AdmittedCounts {
  /** Of the log that audits are counted of. */
  readonly epoch: number;
  /** `acceptedAt`: Unix ms. Called when they are durable in the log; costs no request anything. */
  add(customerId: string, acceptedAt: number, count: number): void;
  /** Resolves when all that was added before is written, or given up. */
  write(): Promise<void>;
}

interface CountingParts {
  readonly admission: Pick<Admission, 'countAdmitted'>;
  readonly epoch: number;
  readonly logger: Logger;
  readonly writeEveryMs?: number;
}

const WRITE_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
/** Counts that wait, one per customer and minute. More of them are not kept: the books then say "unacknowledged". */
const MAX_WAITING = 20_000;

/**
 * Gathers counts and writes them once a second, so that an audit costs no call of the state. A crash loses the last
 * second of them, and so does a write whose answer is not known: it may have counted, and an audit that counts twice
 * would look like one that was lost.
 */
export function createAdmittedCounts(parts: CountingParts): AdmittedCounts {
  const { admission, epoch, logger, writeEveryMs = WRITE_EVERY_MS } = parts;
  let waiting = new Map<string, AdmittedAudits>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeOut = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const counts = [...waiting.values()];
    waiting = new Map();
    await admission.countAdmitted(counts).catch((err: unknown) => {
      const audits = counts.reduce((sum, { count }) => sum + count, 0);
      logger.warn({ err, audits }, 'audits may be missing in the count of those that were admitted');
    });
  };
  const write = (): Promise<void> => {
    writing = writing.then(writeOut);
    return writing;
  };

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
