import { withTimeout } from '#platform/flow/with-timeout.ts';
import type { DocumentSeals } from '#platform/sealing/document-seals.ts';
import { META, type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Check } from '#platform/telemetry/readiness/readiness.ts';
import { countContradictions } from '#platform/warehouse/queries/contradictions.ts';
import { refuseChangedState, StateChanged } from './changed-state.ts';
import { type ComparedStores, refuseOlderState, StateOlder } from './older-state.ts';

/** Document: number of contradictions in the ledger that an operator has accepted, with the state that caused them. */
const ACCEPTED = { scope: SYSTEM_SCOPE, collection: META, id: 'acceptedContradictions' } as const;

/** Shorter than readiness waits for a check. */
const ANSWER_WITHIN_MS = 1_500;

interface LedgerWatchOptions extends ComparedStores {
  readonly state: Pick<State, 'documents' | 'connections'>;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** `connections()` of the state before its last comparison; by default the state counts as compared now. */
  readonly comparedAt?: number;
  /** If given, document content is also compared; the process must be allowed to read all documents. */
  readonly seals?: DocumentSeals;
  /** How often the state's connection is checked. */
  readonly intervalMs?: number;
  /** When to compare without an event: first after the start, then at an interval. */
  readonly firstMs?: number;
  readonly everyMs?: number;
  /**
   * How often a state found to be older is compared again (it may have been restored or accepted): each comparison
   * reads all entries in the warehouse. Also the maximum pause after a failed comparison, which doubles from
   * `intervalMs`: the API may be closed until one succeeds.
   */
  readonly againMs?: number;
}

/** Result of the last comparison; UNCOMPARED: calls may go to another server that has not been compared yet. */
export type StateStatus = 'CURRENT' | 'UNCOMPARED' | 'OLDER';

export interface LedgerWatch {
  /** Requests may only be authorised by a current state. */
  standing(): StateStatus;
  /** The listener is called each time the state is found to be older than the ledger. */
  onOlder(listener: () => void): void;
  /**
   * Readiness: red if the state is older or was changed, or may be older while the warehouse cannot tell; a permanent
   * note for contradictions. Rejects if these cannot be counted.
   */
  check(): Promise<Check>;
  /** Aborts a running comparison: the warehouse may work on it for minutes, and stops when the connection closes. */
  stop(): void;
}

/**
 * Compares the state with the ledger whenever calls may be reaching another server, which may have missed the last
 * writes. The start has already compared them. A second comparison soon after it finds entries that the sinks had not
 * folded by then; further ones follow every hour.
 */
export function watchLedger(options: LedgerWatchOptions): LedgerWatch {
  const { state, warehouse, logger, intervalMs = 250, againMs = 30_000 } = options;
  const { firstMs = 60_000, everyMs = 3_600_000, comparedAt = state.connections() } = options;
  let dueInMs = firstMs;
  let compared = comparedAt;
  const listeners: (() => void)[] = [];
  let fault: StateOlder | StateChanged | null = null;
  /** Consecutive failed comparisons. */
  let failures = 0;
  const ending = new AbortController();

  const compare = async (): Promise<void> => {
    const connections = state.connections();
    if (connections === compared && fault === null && dueInMs > 0) return;
    try {
      await refuseOlderState(options, ending.signal);
      // Requests only wait for the comparison of versions: comparing all content takes longer.
      compared = connections;
      if (options.seals) await refuseChangedState({ ...options, seals: options.seals }, ending.signal);
      fault = null;
    } catch (error) {
      if (ending.signal.aborted || !isFault(error)) throw error;
      const isNew = fault?.name !== error.name;
      fault = error;
      if (isNew) logger.error({ err: error }, error instanceof StateOlder ? STATE_OLDER : STATE_CHANGED);
      if (isNew && error instanceof StateOlder) for (const listener of listeners) listener();
    }
    compared = connections;
    if (dueInMs <= 0) dueInMs = everyMs;
  };

  repeat(ending.signal, {
    pauseMs: () => (fault === null ? Math.min(againMs, intervalMs * 2 ** failures) : againMs),
    run: async (pausedMs) => {
      dueInMs -= pausedMs;
      try {
        await compare();
        failures = 0;
      } catch (err) {
        failures += 1;
        // State or warehouse unreachable: the comparison runs again once they are back.
        if (!ending.signal.aborted) logger.warn({ err }, 'failed to compare state with ledger; retrying');
      }
    },
  });

  /** null: the state may be another server, and the warehouse cannot tell whether it is older. */
  const newContradictions = async (): Promise<number | null> => {
    const count = async () => (await countContradictions(warehouse)) - (await acceptedContradictions(state));
    if (state.connections() === compared) return count();
    if (failures > 0) return null;
    return withTimeout<number | null>(
      count().catch(() => null),
      ANSWER_WITHIN_MS,
      () => null,
    );
  };

  const standing = (): StateStatus => {
    if (fault instanceof StateOlder) return 'OLDER';
    return state.connections() === compared ? 'CURRENT' : 'UNCOMPARED';
  };

  return {
    standing,
    onOlder: (listener) => void listeners.push(listener),
    check: () => readinessOf(fault, newContradictions),
    stop: () => ending.abort(),
  };
}

const STATE_OLDER = 'state older than ledger; requests refused';
const STATE_CHANGED = 'state documents changed outside the service';
const isFault = (error: unknown): error is StateOlder | StateChanged =>
  error instanceof StateOlder || error instanceof StateChanged;

interface Repeated {
  readonly pauseMs: () => number;
  /** Never rejects. */
  readonly run: (pausedMs: number) => Promise<void>;
}

/** Runs one after another until the signal fires. */
function repeat(ended: AbortSignal, { pauseMs, run }: Repeated): void {
  const pausedMs = pauseMs();
  // Not cleared when the signal fires: the timer does not keep the process alive, and then does nothing.
  setTimeout(() => {
    if (!ended.aborted) void run(pausedMs).then(() => repeat(ended, { pauseMs, run }));
  }, pausedMs).unref();
}

/** `newContradictions` returns null if the state may be another server and cannot be compared. */
async function readinessOf(
  fault: StateOlder | StateChanged | null,
  newContradictions: () => Promise<number | null>,
): Promise<Check> {
  if (fault instanceof StateChanged)
    return {
      ok: false,
      message: `state documents were changed: ${fault.first}; stop all services and see the log`,
    };
  if (fault !== null)
    return { ok: false, message: 'the state is older than the ledger; stop all services and see the log' };
  const found = await newContradictions();
  // A revoked key may work again on another server, so requests wait for the comparison.
  if (found === null)
    return {
      ok: false,
      message: 'the state was reconnected and cannot be compared with the ledger yet; see the log',
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
export async function acceptContradictions({
  state,
  warehouse,
}: Pick<ComparedStores, 'state' | 'warehouse'>): Promise<void> {
  const value = await countContradictions(warehouse);
  await state.documents.write(ACCEPTED.scope, [{ ...ACCEPTED, value }]);
}
