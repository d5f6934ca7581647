import { openDetail } from '#platform/codec/ledger-record.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import { storeWarehouseEpoch, warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { publishFolded } from '#services/sink/flush/publish.ts';
import { warehouseStore } from '#services/sink/flush/queries.ts';
import { createSink } from '#services/sink/pipeline.ts';
import { undisturbed } from '#services/sink/testing/undisturbed.ts';
import type { Harness } from './harness.ts';
import type { RealWarehouse } from './real-warehouse.ts';

/** The sink on the harness' log: `fold` stores the new records of a topic. */
export function sinkOf(harness: Harness, real: RealWarehouse, epoch: number) {
  const { codec, now, state } = harness.dependencies;
  const keyring = harness.dependencies.keyring as Keyring;
  const sink = undisturbed(
    createSink({
      log: harness.log,
      store: warehouseStore(real.warehouse),
      publish: publishFolded({ log: harness.log, codec, epoch }),
      admission: state.admission,
      decodeLedgerEntry: codec.decodeLedgerEntry,
      openDetail: (entry) => openDetail(entry, { open: keyring.open }),
      epoch,
      now,
      logger: { warn: () => undefined, error: () => undefined },
      // No more records will join a waiting flush.
      limits: { minRecords: 1 },
    }),
  );
  const done = new Map<string, number>();
  /** As at a start; a table that was emptied meanwhile has no epoch. */
  const agreeOnEpoch = async (): Promise<void> => {
    if ((await warehouseEpoch(real.warehouse)) === null)
      await storeWarehouseEpoch(real.warehouse, { epoch, setUp: 'test' }, now());
  };
  /** By offset: a test may remove a record that was not read yet. */
  const isNew = ({ topic, partition, offset }: StoredRecord): boolean =>
    offset >= (done.get(`${topic}/${partition}`) ?? 0);
  const foldPartition = async (topic: string, partition: number): Promise<void> => {
    const all = harness.log.of(topic).filter((record) => record.partition === partition);
    const records = all.filter(isNew);
    if (records.length === 0) return;
    done.set(`${topic}/${partition}`, records.at(-1)!.offset + 1);
    await sink.process({ topic, partition, records, nextOffset: all.length, end: all.length });
  };
  return {
    fold: async (topic: string): Promise<void> => {
      if (!harness.log.of(topic).some(isNew)) return;
      await agreeOnEpoch();
      const partitions = new Set(harness.log.of(topic).map((record) => record.partition));
      await Promise.all([...partitions].map((partition) => foldPartition(topic, partition)));
    },
  };
}
