import { setImmediate as nextTurn } from 'node:timers/promises';
import { archiveVersions } from '../../../platform/directory/archived-versions.ts';
import { customerIds, getCustomer } from '../../../platform/directory/customers.ts';
import { SANDBOXES } from '../../../platform/directory/records.ts';
import type { Logger } from '../../../platform/runtime/logger.ts';
import type { State } from '../../../platform/state/port.ts';
import type { Warehouse } from '../../../platform/warehouse/port.ts';
import { foldedEntries } from '../../../platform/warehouse/queries/folded.ts';
import { entryIdOf } from '../../../schemas/events/events.ts';
import { DEAD_LETTERS, TRIPLETS } from '../../../schemas/topics.ts';

const DAY_MS = 86_400_000;

/**
 * How long the state keeps a version that was replaced: an audit that names it may wait for its analysis, then lie among
 * the dead letters, then wait once more as a replay. A day more for a change that a repeat under its Idempotency-Key
 * makes later than it says, and one for clocks and for retention that is late.
 */
export const KEPT_MS = 2 * TRIPLETS.retentionMs + DEAD_LETTERS.retentionMs + 2 * DAY_MS;

export interface ArchiveRoundParts {
  readonly state: Pick<State, 'documents'>;
  readonly warehouse: Warehouse;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Unix ms. */
  readonly now: () => number;
}

/** Looks at every customer once. One whose records cannot be read or written holds up nobody else. */
export async function archiveRound(parts: ArchiveRoundParts, stopping: AbortSignal): Promise<number> {
  const { documents } = parts.state;
  let archived = 0;
  for (const customerId of await customerIds(documents)) {
    if (stopping.aborted) break;
    await nextTurn();
    try {
      archived += await archiveCustomer(parts, customerId, stopping);
    } catch (err) {
      if (stopping.aborted) break;
      parts.logger.warn({ customerId, err }, 'old versions of sandboxes stay in the state for now');
    }
  }
  if (archived > 0) parts.logger.info({ archived }, 'old versions of sandboxes were put away');
  return archived;
}

async function archiveCustomer(
  { state, warehouse, now }: ArchiveRoundParts,
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
    // Most have nothing to put away, and reads of an embedded state let nobody in between.
    await nextTurn();
  }
  return archived;
}

export interface ArchiverOptions extends ArchiveRoundParts {
  readonly state: Pick<State, 'documents' | 'expiring'>;
  /** Pause before the first round, ms. */
  readonly firstAfterMs?: number;
  /** Pause between rounds, ms. */
  readonly intervalMs?: number;
}

const LEASE = 'lease:archive-versions';

/**
 * Puts old versions away from time to time. The first round measures whatever an installation of before has not counted.
 * One process does a round; only to spare work, for every step may be done twice.
 */
export function startArchiver(options: ArchiverOptions): { stop(): Promise<void> } {
  const { state, logger, firstAfterMs = 60_000, intervalMs = 6 * 3_600_000 } = options;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const round = async (): Promise<void> => {
    if (await state.expiring.setIfAbsent(LEASE, 'taken', intervalMs / 2))
      await archiveRound(options, ending.signal);
  };
  const schedule = (pauseMs: number): void => {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      running = round()
        .catch((err: unknown) => logger.warn({ err }, 'old versions of sandboxes could not be looked for'))
        .then(() => schedule(intervalMs));
    }, pauseMs);
  };
  schedule(firstAfterMs);
  return {
    stop: async () => {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
