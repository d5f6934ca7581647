import { columnNames } from '#schemas/tables/table.ts';
import { CORRELATION_SNAPSHOTS, type CorrelationSnapshotRow } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../../port.ts';
import { REQUEST_SECONDS } from '../select-list.ts';

export type StoredSnapshot = Omit<CorrelationSnapshotRow, 'version'>;

/** Above every index; leaves room for 2^13 epochs. */
const INDEXES = 2 ** 40;

/** A newer epoch wins; within an epoch, the snapshot that is further along. */
const versionOf = ({ epoch, next }: StoredSnapshot): number => epoch * INDEXES + next;

/** The newest snapshot of each of these customers that has one. */
export const snapshotsOf = (
  warehouse: Warehouse,
  customerIds: readonly string[],
): Promise<StoredSnapshot[]> =>
  warehouse.query<StoredSnapshot>(
    `SELECT customerId, epoch, next, hash, snapshot FROM correlation_snapshots FINAL
     WHERE customerId IN {customerIds:Array(String)}`,
    { customerIds: [...customerIds] },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );

export const storeSnapshots = (warehouse: Warehouse, rows: readonly StoredSnapshot[]): Promise<void> =>
  warehouse.insert(
    CORRELATION_SNAPSHOTS.name,
    columnNames(CORRELATION_SNAPSHOTS),
    rows.map((row) => ({ ...row, version: versionOf(row) })),
  );
