import { setImmediate as nextTurn } from 'node:timers/promises';
import { startBackgroundJob } from '#platform/flow/background-job.ts';
import type { State } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { foldedEntries } from '#platform/warehouse/queries/folded.ts';
import { customerIds, getCustomer } from '#records/customers/customers.ts';
import { SANDBOXES } from '#records/documents/sandbox-record.ts';
import { archiveVersions } from '#records/sandboxes/archived-versions.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { DEAD_LETTERS, TRIPLETS } from '#schemas/topics.ts';

const DAY_MS = 86_400_000;

/**
 * How long the state keeps a replaced version: an audit that names it may wait for its analysis, then stay a dead
 * letter, then wait again as a replay. One more day for a change that a repeat under its Idempotency-Key makes later
 * than its timestamp says, and one for clock skew and late retention.
 */
export const KEPT_MS = 2 * TRIPLETS.retentionMs + DEAD_LETTERS.retentionMs + 2 * DAY_MS;

interface ArchiveRoundDependencies {
  readonly state: Pick<State, 'documents'>;
  readonly warehouse: Warehouse;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Unix ms. */
  readonly now: () => number;
}

/** Visits every customer once. A customer whose records cannot be read or written does not block the others. */
export async function archiveRound(
  dependencies: ArchiveRoundDependencies,
  stopping: AbortSignal,
): Promise<number> {
  const { documents } = dependencies.state;
  let archived = 0;
  for (const customerId of await customerIds(documents)) {
    if (stopping.aborted) break;
    await nextTurn();
    try {
      archived += await archiveCustomer(dependencies, customerId, stopping);
    } catch (err) {
      if (stopping.aborted) break;
      dependencies.logger.warn({ customerId, err }, 'failed to archive sandbox versions; retrying');
    }
  }
  if (archived > 0) dependencies.logger.info({ archived }, 'sandbox versions archived');
  return archived;
}

async function archiveCustomer(
  { state, warehouse, now }: ArchiveRoundDependencies,
  customerId: string,
  stopping: AbortSignal,
): Promise<number> {
  const { documents } = state;
  const customer = await getCustomer(documents, customerId);
  if (customer === null || customer.erasure !== undefined) return 0;
  const replacedBefore = new Date(now() - KEPT_MS).toISOString();
  const folded = async (owner: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const named = new Map(ids.map((id) => [entryIdOf('POLICY_EVENT', id), id]));
    const found = await foldedEntries(warehouse, owner, [...named.keys()]);
    return new Set([...found].map((entryId) => named.get(entryId) ?? ''));
  };
  let archived = 0;
  for (const sandboxId of await documents.ids(customerId, SANDBOXES)) {
    if (stopping.aborted) break;
    archived += await archiveVersions({ documents, folded, replacedBefore }, customerId, sandboxId);
    // Most have nothing to archive, and reads of an embedded state never yield.
    await nextTurn();
  }
  return archived;
}

interface ArchiverOptions extends ArchiveRoundDependencies {
  readonly state: Pick<State, 'documents' | 'expiring'>;
  /** Pause before the first round, ms. */
  readonly firstAfterMs?: number;
  /** Pause between rounds, ms. */
  readonly intervalMs?: number;
}

const LEASE = 'lease:archive-versions';

/**
 * Archives old versions periodically. The first round measures anything that an earlier release has not counted. One
 * process runs a round, only to save work: every step is idempotent.
 */
export function startArchiver(options: ArchiverOptions): { stop(): Promise<void> } {
  const { state, logger, firstAfterMs = 60_000, intervalMs = 6 * 3_600_000 } = options;
  return startBackgroundJob({
    firstAfterMs,
    everyMs: intervalMs,
    onFailure: (err) => logger.warn({ err }, 'failed to list sandbox versions; retrying'),
    run: async (stopping) => {
      if (await state.expiring.setIfAbsent(LEASE, 'taken', intervalMs / 2))
        await archiveRound(options, stopping);
    },
  });
}
