import { type Expiring, LEASE_MS } from '#platform/state/port.ts';

/**
 * State of a replay until the audit list shows it: the list follows the sink, and still says FAILED for a while after
 * the record was appended again.
 */
interface ReplayMark {
  /** The replaying request; a repeat of it under its Idempotency-Key continues with the same marks. */
  readonly by: string;
  /** ISO 8601: when that request arrived. */
  readonly at: string;
  /** Unix ms: when the mark was set. */
  readonly since: number;
  /** False: the append is in flight, or its process died. */
  readonly appended: boolean;
}

export type Replayer = Pick<ReplayMark, 'by' | 'at'>;

/** One run of an audit: a failed replay may be replayed again. */
export interface AuditRun {
  readonly customerId: string;
  readonly auditId: string;
  readonly generation: number;
}

/**
 * Far longer than the sink takes. If the sink takes even longer, a second replay is analysed needlessly, without harm.
 */
const LIFE_MS = 3_600_000;

const keyOf = ({ customerId, auditId, generation }: AuditRun): string =>
  `replay:${customerId}:${auditId}:${generation}`;

export interface ReplayMarks {
  get(run: AuditRun): Promise<ReplayMark | null>;
  /** The mark that is valid from now on: this replayer's, or that of an earlier one that may still be working. */
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
      const existing = await get(run);
      if (existing !== null && (existing.appended || Math.abs(now() - existing.since) < LEASE_MS))
        return existing;
      // Its holder died, or has just released it. If two claim it at the same time, one surplus record is appended,
      // which the ledger drops.
      await set(run, own);
      return own;
    },
    appended: (run, replayer) => set(run, markOf(replayer, true)),
    release: (run) => expiring.delete(keyOf(run)),
  };
}
