import { columnNames, type Table } from '#schemas/tables/table.ts';
import { AUDITS, ENTRIES, SIGNALS } from '#schemas/tables/tables.ts';
import { blankReturned } from '#services/sink/jobs/blank-returned.ts';
import type { ReconciliationWorld } from './reconciliation-world.ts';

type Row = Readonly<Record<string, unknown>>;

/** All rows of a table, including `version` of the audit list, as in a backup. */
async function backupOf({ real }: ReconciliationWorld, table: Table<Readonly<Record<string, string>>>) {
  const columns = columnNames(table)
    .map((name) => (name === 'version' ? 'toString(version) AS version' : `\`${name}\``))
    .join(', ');
  const rows = await real.warehouse.query<Row>(`SELECT ${columns} FROM ${table.name}`);
  return {
    table,
    rows,
    /** Stores some of its rows again, with other values in some columns. */
    restore: (isMeant: (row: Row) => boolean, change: Row = {}): Promise<void> =>
      real.insert(
        table,
        rows.filter(isMeant).map((row) => ({ ...row, ...change })),
      ),
  };
}

/** Backups of all tables with content that erasures remove. */
export async function backups(world: ReconciliationWorld) {
  const [signals, entries, audits] = await Promise.all(
    [SIGNALS, ENTRIES, AUDITS].map((table) => backupOf(world, table)),
  );
  return { signals: signals!, entries: entries!, audits: audits! };
}

/** The sink's part in blanking again: the errors it logged, and the number of entries it counted. */
export async function blankWhatReturned({ harness, real }: ReconciliationWorld) {
  const errors: object[] = [];
  let blanked = 0;
  await blankReturned({
    warehouse: real.warehouse,
    documents: harness.state.documents,
    expiring: harness.state.expiring,
    logger: { warn: (fields) => void errors.push(fields), error: (fields) => void errors.push(fields) },
    blanked: (entries) => {
      blanked += entries;
    },
  });
  return { errors, blanked };
}
