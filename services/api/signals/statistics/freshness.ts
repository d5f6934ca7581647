import { type EventLog, LogUnavailable } from '#platform/event-log/port.ts';
import { withTimeout } from '#platform/flow/with-timeout.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { positionsOf } from '#platform/warehouse/queries/positions.ts';
import { oldestUnstoredOf, type PlacedBounds } from '#records/audits/unstored.ts';
import type { Freshness } from '#schemas/api/dashboard.ts';
import { DEAD_LETTERS, LEDGER, RETRY_1, RETRY_2, TRIPLETS } from '#schemas/topics.ts';

interface FreshnessDependencies {
  readonly log: Pick<EventLog, 'bounds' | 'read'>;
  readonly warehouse: Warehouse;
  readonly now: () => number;
}

/** Topics that signals and the audit list are made from. */
const TOPICS = [TRIPLETS, RETRY_1, RETRY_2, DEAD_LETTERS, LEDGER];
const PARTITIONS = TOPICS.flatMap(({ name, partitions }) =>
  Array.from({ length: partitions }, (_, partition) => ({ topic: name, partition })),
);

/** How long one read of the tables serves all callers. */
const READ_EVERY_MS = 1_000;
/** Maximum delay that an unresponsive log causes. */
const LOG_LIMIT_MS = 1_000;
const UNKNOWN: Freshness = { lagSeconds: null, complete: false };

interface Measurement extends Freshness {
  /** Unix ms. */
  readonly at: number;
  /** Ends of all partitions, as text. */
  readonly ends: string;
}

/**
 * How far the dashboard's numbers lag behind what was accepted. All requests of a process share a read of the tables,
 * at most once a second. They are reported as complete only after reading the log's ends again.
 */
export function createFreshness(dependencies: FreshnessDependencies): () => Promise<Freshness> {
  let last: Measurement | null = null;
  let inProgress: Promise<Measurement> | null = null;

  const measureAgain = (): Promise<Measurement> => {
    inProgress = measure(dependencies)
      .then((found) => {
        last = found;
        return found;
      })
      .finally(() => {
        inProgress = null;
      });
    return inProgress;
  };
  const current = async (): Promise<Measurement> => {
    const known = last !== null && Math.abs(dependencies.now() - last.at) < READ_EVERY_MS ? last : null;
    if (known !== null && !known.complete) return known;
    if (known !== null && (await readEnds(dependencies)).text === known.ends) return known;
    if (inProgress === null) return measureAgain();
    // That read started before this request, and may miss what was accepted in between.
    await inProgress;
    return current();
  };
  return () => inTime(current().then(({ lagSeconds, complete }) => ({ lagSeconds, complete })));
}

async function measure(dependencies: FreshnessDependencies): Promise<Measurement> {
  const at = dependencies.now();
  const [stored, ends] = await Promise.all([
    positionsOf(
      dependencies.warehouse,
      TOPICS.map(({ name }) => name),
    ),
    readEnds(dependencies),
  ]);
  const positions = new Map(stored.map((position) => [nameOf(position), position]));
  const times = await Promise.all(
    ends.bounds.map((one) => oldestUnstoredOf(dependencies.log, one, positions.get(nameOf(one)))),
  );
  const waiting = times.filter((time) => time !== null);
  const complete = waiting.length === 0;
  const lagSeconds = complete ? 0 : Math.max(0, at - Math.min(...waiting)) / 1_000;
  return { at, lagSeconds, complete, ends: ends.text };
}

const nameOf = ({ topic, partition }: { readonly topic: string; readonly partition: number }): string =>
  `${topic}/${partition}`;

async function readEnds({ log }: FreshnessDependencies): Promise<{ bounds: PlacedBounds[]; text: string }> {
  const bounds = await Promise.all(
    PARTITIONS.map(async (one) => ({ ...one, ...(await log.bounds(one.topic, one.partition)) })),
  );
  return { bounds, text: bounds.map(({ end }) => end).join(' ') };
}

/** Without the log freshness is unknown, but the numbers are still available. */
async function inTime(measured: Promise<Freshness>): Promise<Freshness> {
  try {
    return await withTimeout(measured, LOG_LIMIT_MS, () => UNKNOWN);
  } catch (error) {
    if (error instanceof LogUnavailable) return UNKNOWN;
    throw error;
  }
}
