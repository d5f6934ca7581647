import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { SavedRecord } from '#schemas/api/partitions.ts';
import { LEDGER, PARTITIONS, TOPICS } from '#schemas/topics.ts';
import { createClient } from '../../../cli/command/client.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { TestService } from '../../helpers/service.ts';
import type { Pools } from './pools.ts';

/** The partition that stays stopped, and the one with a record that requests may accept as lost. */
export interface StoppedPartitions {
  readonly shown: SavedRecord;
  readonly accepted: SavedRecord;
}

const WITHIN_MS = 60_000;

/**
 * While nothing runs, appends a record that no release can read to two ledger partitions other than the fuzzed
 * customer's.
 */
export async function breakLedger(dataDir: string, { kept }: Pools): Promise<void> {
  const used = new Set((kept.customerId ?? []).map((id) => partitionOf(id, PARTITIONS)));
  const keys = Array.from({ length: 10 * PARTITIONS }, (_, n) => `nobody-${n}`).filter((key) => {
    const partition = partitionOf(key, PARTITIONS);
    return !used.has(partition) && used.add(partition);
  });
  const log = await openEmbeddedLog({ path: dataFolder(dataDir).log, topics: TOPICS });
  const unreadable = { topic: LEDGER.name, value: Buffer.from('no entry'), headers: {} };
  await log.append(keys.slice(0, 2).map((key) => ({ ...unreadable, key })));
  await log.close();
}

/** Resolves when the service has reached both records. */
export async function stoppedPartitions({
  url,
  internalSecret,
}: Pick<TestService, 'url' | 'internalSecret'>): Promise<StoppedPartitions> {
  const internal = createClient(url, { 'x-internal-secret': internalSecret });
  const stops = await eventually('both partitions are stopped', WITHIN_MS, async () => {
    const { body } = await internal.request('GET', '/internal/partitions');
    const { data } = body as unknown as { data: { topic: string; partition: number }[] };
    return data.length === 2 ? data : undefined;
  });
  const [shown, accepted] = await Promise.all(
    stops.map(async ({ topic, partition }) => {
      const { body } = await internal.request('GET', `/internal/partitions/${topic}/${partition}/record`);
      return body as unknown as SavedRecord;
    }),
  );
  return { shown: shown!, accepted: accepted! };
}
