/** The waits of erasures, one per open erasure. */
export interface PhaseWaits {
  /**
   * Whether the wait of this phase is over. It lasts until `untilMs`, Unix ms, but no longer than `limitMs` since the
   * first call here: the wall clock that `untilMs` comes from may be set back.
   */
  isOver(
    customerId: string,
    wait: { readonly phase: string; readonly untilMs: number; readonly limitMs: number },
  ): boolean;
  /** End of each partition of the log at the first call after the wait. */
  endsAfter(customerId: string, readEnds: () => Promise<readonly number[]>): Promise<readonly number[]>;
  /** Forgets all waits except those of these customers. */
  keep(customerIds: readonly string[]): void;
}

interface Wait {
  readonly phase: string;
  /** Time of `clock`. */
  readonly since: number;
  ends?: readonly number[];
}

/** `now`: Unix ms; `clock`: monotonic, ms. A restarted process measures again, and relies on `now` until then. */
export function phaseWaits(now: () => number, clock: () => number): PhaseWaits {
  const waits = new Map<string, Wait>();
  return {
    isOver: (customerId, { phase, untilMs, limitMs }) => {
      const known = waits.get(customerId);
      const wait = known?.phase === phase ? known : { phase, since: clock() };
      waits.set(customerId, wait);
      return now() > untilMs || clock() - wait.since >= limitMs;
    },
    endsAfter: async (customerId, readEnds) => {
      const wait = waits.get(customerId);
      if (wait === undefined) throw new Error(`no phase of the erasure of ${customerId} is waiting`);
      wait.ends ??= await readEnds();
      return wait.ends;
    },
    keep: (customerIds) => {
      const kept = new Set(customerIds);
      for (const customerId of waits.keys()) if (!kept.has(customerId)) waits.delete(customerId);
    },
  };
}
