import { withTimeout } from '#platform/flow/with-timeout.ts';
import { type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Check } from '#platform/telemetry/readiness.ts';
import { countContradictions } from '#platform/warehouse/queries/contradictions.ts';
import { META } from '#platform/wiring/epoch.ts';
import { type ComparedStores, refuseOlderState, StateOlder } from './older-state.ts';

/** Document: how many contradictions in the ledger an operator has accepted, together with the state that made them. */
const ACCEPTED = { scope: SYSTEM_SCOPE, collection: META, id: 'acceptedContradictions' } as const;

/** Less than readiness waits for a check. */
const ANSWER_WITHIN_MS = 1_500;

interface LedgerWatchOptions extends ComparedStores {
  readonly state: Pick<State, 'documents' | 'connections'>;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** How often the state's connection is checked. */
  readonly intervalMs?: number;
  /** When to compare without an event: once after the start, and then periodically. */
  readonly firstMs?: number;
  readonly everyMs?: number;
  /**
   * How often a state that was found older is compared again (it may have been restored or accepted), and the pause
   * after a failed comparison: each reads all entries of the warehouse.
   */
  readonly againMs?: number;
}

export interface LedgerWatch {
  /**
   * Readiness: red for a state that is older, and for one that may be while the warehouse cannot say; a permanent note
   * for contradictions. Rejects when those cannot be counted.
   */
  check(): Promise<Check>;
  /**
   * Aborts a running comparison: the warehouse may work on it for minutes, and ends it when the connection is closed.
   */
  stop(): void;
}

/**
 * Compares the state with the ledger whenever its calls may have begun to go to another server, which may have missed
 * the last writes. The start has compared them already; entries that the sinks had not folded by then are found by
 * comparing once more soon after it, and then every hour.
 */
export function watchLedger(options: LedgerWatchOptions): LedgerWatch {
  const { state, warehouse, logger, intervalMs = 1_000, againMs = 30_000 } = options;
  const { firstMs = 60_000, everyMs = 3_600_000 } = options;
  let dueInMs = firstMs;
  let compared = state.connections();
  let fault: StateOlder | null = null;
  let failed = false;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const compare = async (): Promise<void> => {
    const connections = state.connections();
    if (connections === compared && fault === null && dueInMs > 0) return;
    try {
      await refuseOlderState(options, ending.signal);
      fault = null;
    } catch (error) {
      if (ending.signal.aborted || !(error instanceof StateOlder)) throw error;
      if (fault === null) logger.error({ err: error }, 'the state is older than the ledger');
      fault = error;
    }
    compared = connections;
    if (dueInMs <= 0) dueInMs = everyMs;
  };

  const schedule = (): void => {
    if (ending.signal.aborted) return;
    const pauseMs = fault === null && !failed ? intervalMs : againMs;
    timer = setTimeout(() => {
      dueInMs -= pauseMs;
      compare()
        .then(
          () => {
            failed = false;
          },
          (err: unknown) => {
            failed = true;
            // The state or the warehouse cannot be reached: the comparison follows when they can.
            if (!ending.signal.aborted) logger.warn({ err }, 'state and ledger could not be compared');
          },
        )
        .then(schedule);
    }, pauseMs).unref();
  };
  schedule();

  /** null: the state may be another server, and the warehouse cannot say whether it is older. */
  const newContradictions = async (): Promise<number | null> => {
    const count = async () => (await countContradictions(warehouse)) - (await acceptedContradictions(state));
    if (state.connections() === compared) return count();
    if (failed) return null;
    return withTimeout<number | null>(
      count().catch(() => null),
      ANSWER_WITHIN_MS,
      () => null,
    );
  };

  return {
    check: () => readinessOf(fault, newContradictions),
    stop() {
      ending.abort();
      clearTimeout(timer);
    },
  };
}

/** `newContradictions` gives null when the state may be another server and cannot be compared. */
async function readinessOf(
  fault: StateOlder | null,
  newContradictions: () => Promise<number | null>,
): Promise<Check> {
  if (fault !== null)
    return { ok: false, message: 'the state is older than the ledger: stop all services; see the log' };
  const found = await newContradictions();
  // A key that was revoked may work again on another server, so requests wait for the comparison.
  if (found === null)
    return {
      ok: false,
      message: 'the state was connected again and cannot be compared with the ledger yet; see the log',
    };
  return found <= 0 ? { ok: true } : { ok: true, message: contradicts(found) };
}

function contradicts(count: number): string {
  const records = count === 1 ? '1 record repeats' : `${count} records repeat`;
  return `${records} an entry of the ledger with another content: an older state was restored. Compare the log of the sinks, then stop all services and run "cas migrate --accept-older-state"`;
}

const acceptedContradictions = async ({ documents }: Pick<State, 'documents'>): Promise<number> =>
  (await documents.get<number>(ACCEPTED))?.value ?? 0;

/** From now on readiness reports only new contradictions; the metric continues to count all. */
export async function acceptContradictions({ state, warehouse }: ComparedStores): Promise<void> {
  const value = await countContradictions(warehouse);
  await state.documents.write(ACCEPTED.scope, [{ ...ACCEPTED, value }]);
}
