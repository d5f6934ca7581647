import { type Expiring, LEASE_MS } from '#platform/state/port.ts';

/**
 * What is known of a replay until the audit list shows it: the list follows the sink, and says FAILED for a while after
 * the record was appended again.
 */
interface ReplayMark {
  /** The request that replays; a repeat of it under its Idempotency-Key continues with its own marks. */
  readonly by: string;
  /** ISO 8601: when that request arrived. */
  readonly at: string;
  /** Unix ms: when the mark was set. */
  readonly since: number;
  /** False: the append is in flight, or its process died. */
  readonly appended: boolean;
}

/** Who sets the mark. */
export type Replayer = Pick<ReplayMark, 'by' | 'at'>;

/** One run of an audit: a replay that failed in its turn may be replayed again. */
export interface AuditRun {
  readonly customerId: string;
  readonly auditId: string;
  readonly generation: number;
}

/** Far longer than the sink takes. If it does take longer, a second replay is analysed in vain and does no harm. */
const LIFE_MS = 3_600_000;

const keyOf = ({ customerId, auditId, generation }: AuditRun): string =>
  `replay:${customerId}:${auditId}:${generation}`;

export interface ReplayMarks {
  get(run: AuditRun): Promise<ReplayMark | null>;
  /** The mark that is valid from now on: one of this replayer, or that of an earlier one that may still be working. */
  claim(run: AuditRun, replayer: Replayer): Promise<ReplayMark>;
  appended(run: AuditRun, replayer: Replayer): Promise<void>;
  release(run: AuditRun): Promise<void>;
}

/** `now`: Unix ms. */
export function replayMarks(expiring: Expiring, now: () => number): ReplayMarks {
  const get = async (run: AuditRun): Promise<ReplayMark | null> => {
    const text = await expiring.get(keyOf(run));
    return text === null ? null : (JSON.parse(text) as ReplayMark);
  };
  const markOf = ({ by, at }: Replayer, appended: boolean): ReplayMark => ({
    by,
    at,
    since: now(),
    appended,
  });
  const set = (run: AuditRun, mark: ReplayMark): Promise<void> =>
    expiring.set(keyOf(run), JSON.stringify(mark), LIFE_MS);
  return {
    get,
    claim: async (run, replayer) => {
      const own = markOf(replayer, false);
      if (await expiring.setIfAbsent(keyOf(run), JSON.stringify(own), LIFE_MS)) return own;
      const held = await get(run);
      if (held !== null && (held.appended || Math.abs(now() - held.since) < LEASE_MS)) return held;
      // Whoever held it died, or released it just now. Two that claim it at the same time append one surplus record,
      // which the ledger drops.
      await set(run, own);
      return own;
    },
    appended: (run, replayer) => set(run, markOf(replayer, true)),
    release: (run) => expiring.delete(keyOf(run)),
  };
}
