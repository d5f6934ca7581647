import type { Warehouse } from '#platform/warehouse/port.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { AUDITS, type AuditRow } from '#schemas/tables/tables.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { openAudits } from '../flush/queries.ts';
import type { StoredAudit } from '../fold/content-below.ts';
import { auditRank, auditVersion, FAILED_STAGE, LAST_OFFSET } from '../rows/audit-rows.ts';

const DAY_MS = 86_400_000;
/** How far back a run searches: longer than any gap between runs that could go unnoticed. */
const SEARCH_BACK_MS = 60 * DAY_MS;

interface LostJob {
  readonly warehouse: Warehouse;
  readonly now: () => number;
  readonly epoch: number;
  /** First offset still held by a partition. */
  readonly logStart: (topic: string, partition: number) => Promise<number>;
}

/**
 * Marks audits as lost that no record can complete any more: not final, older than the log's retention, and waiting for
 * a record that is gone. Returns their number; above 0 it is an alarm, because each is a 202 that was not kept.
 * Anything that still arrives outranks the mark.
 */
export async function markLost({ warehouse, now, epoch, logStart }: LostJob): Promise<number> {
  const starts = new Map<string, number>();
  const isGone = async (row: StoredAudit): Promise<boolean> => {
    if (row.epoch < epoch) return true;
    const name = `${row.topic}/${row.partition}`;
    const start = starts.get(name) ?? (await logStart(row.topic, row.partition));
    starts.set(name, start);
    return row.offset < start;
  };
  const before = now() - TRIPLETS.retentionMs;
  let lost = 0;
  for await (const rows of openAudits(warehouse, before - SEARCH_BACK_MS, before)) {
    const gone: AuditRow[] = [];
    for (const row of rows) if (await isGone(row)) gone.push(lostRow(row));
    await warehouse.insert(AUDITS.name, columnNames(AUDITS), gone);
    lost += gone.length;
  }
  return lost;
}

/** A pure function of the row, so that every run writes the same one. Any dead letter of its generation outranks it. */
function lostRow(row: StoredAudit): AuditRow {
  const rank = auditRank(row.generation, FAILED_STAGE);
  return {
    ...row,
    rank,
    version: auditVersion(rank, LAST_OFFSET),
    status: 'FAILED',
    failureCode: 'LOST',
    completedAt: new Date(Date.parse(row.acceptedAt) + TRIPLETS.retentionMs).toISOString(),
  };
}
