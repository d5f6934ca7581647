import type { StoredRecord } from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { CUSTOMERS } from '#platform/state/port.ts';
import { type NotedStop, notedStops } from '#platform/stream/partition/stop-notes.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { stateEpoch } from '#records/epoch/epoch.ts';
import {
  type AcceptedLoss,
  acceptedLoss,
  acceptedLosses,
  acceptLoss as noteLoss,
} from '#records/losses/accepted-losses.ts';
import type {
  NewLoss,
  SavedRecord,
  ShownLoss,
  ShownPartition,
  StoppedPartition,
} from '#schemas/api/partitions.ts';
import { LEDGER, TOPICS } from '#schemas/topics.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';

export type PartitionDependencies = Pick<
  ApiDependencies,
  'state' | 'log' | 'codec' | 'keyring' | 'randomBytes' | 'announce' | 'now'
>;

interface PartitionParams {
  readonly topic: string;
  readonly partition: string;
}

/** Every partition that a consumer group reads. */
const READ_PARTITIONS = TOPICS.flatMap(({ name: topic, partitions, readBy }) =>
  readBy.flatMap((group) =>
    Array.from({ length: partitions }, (_, partition) => ({ group, topic, partition })),
  ),
);

export async function listPartitions(
  dependencies: PartitionDependencies,
): Promise<{ data: StoppedPartition[]; losses: ShownLoss[] }> {
  const [stops, losses] = await Promise.all([
    notedStops(dependencies.state.expiring, READ_PARTITIONS),
    acceptedLosses(dependencies.state.documents),
  ]);
  return {
    data: stops.map(shownStop),
    losses: losses.sort((a, b) => Date.parse(b.acceptedAt) - Date.parse(a.acceptedAt)),
  };
}

export async function showPartition(
  dependencies: PartitionDependencies,
  params: PartitionParams,
): Promise<ShownPartition> {
  const { topic, partition, stops } = await stopsAt(dependencies, params);
  if (stops.length === 0) throw notStopped();
  const record = await refusedRecord(dependencies, stops);
  return {
    topic,
    partition,
    stops: stops.map(shownStop),
    record: record && shownRecord(dependencies, record),
  };
}

export async function saveRecord(
  dependencies: PartitionDependencies,
  params: PartitionParams,
): Promise<SavedRecord> {
  const { stops } = await stopsAt(dependencies, params);
  const record = await refusedRecord(dependencies, stops);
  if (record === null)
    throw new Refusal('NOT_FOUND', { message: 'This partition is not stopped by a record' });
  const { topic, partition, offset, key, headers, value } = record;
  return {
    topic,
    partition,
    offset,
    timestamp: new Date(record.timestamp).toISOString(),
    key,
    headers,
    digest: recordDigest(record),
    valueBase64: value.toString('base64'),
  };
}

export async function acceptLoss(
  dependencies: PartitionDependencies,
  params: PartitionParams,
  loss: NewLoss,
): Promise<ShownLoss> {
  const { topic, partition, stops } = await stopsAt(dependencies, params);
  const { documents } = dependencies.state;
  const epoch = (await stateEpoch(dependencies.state))?.epoch ?? null;
  if (epoch === null) throw new Refusal('PARTITION_NOT_STOPPED');
  const { offset, digest = '', reason, acceptedBy } = loss;
  const before = await acceptedLoss(documents, { epoch, topic, partition, offset });
  const stop = stops.find((one) => one.offset === offset) ?? null;
  if (before === null) refuseUnlessAcceptable(stop, stops);
  const record = before === null && stop?.kind === 'RECORD_REFUSED' ? await readAt(dependencies, stop) : null;
  // On a repeat the first decision stands; the record that it names is still compared.
  const named = before?.digest ?? (record === null ? '' : recordDigest(record));
  if (digest !== named) throw new Refusal('RECORD_DIFFERS');
  const decided: Omit<AcceptedLoss, 'entryId'> = before ?? {
    epoch,
    topic,
    partition,
    offset,
    untilOffset: stop?.untilOffset ?? offset + 1,
    digest,
    cause: stop?.reason ?? '',
    reason,
    acceptedAt: new Date(dependencies.now()).toISOString(),
    acceptedBy,
  };
  const { announce } = dependencies;
  const customerId = record === null ? null : await knownCustomer(dependencies, record.key);
  return noteLoss({ documents, makeEntry: entryMaker(dependencies), announce }, decided, customerId);
}

function refuseUnlessAcceptable(stop: NotedStop | null, stops: readonly NotedStop[]): void {
  const unacceptable = stops.find((one) => !isAcceptable(one));
  if (stop === null && unacceptable === undefined) throw new Refusal('PARTITION_NOT_STOPPED');
  if (stop !== null && isAcceptable(stop)) return;
  throw new Refusal('LOSS_NOT_ACCEPTABLE', { message: (stop ?? unacceptable)!.message });
}

/** If the log ends at a gap, not just some records are lost but the log itself. */
const isAcceptable = ({ kind, untilOffset }: NotedStop): boolean =>
  kind === 'RECORD_REFUSED' || (kind === 'LOG_HOLE' && untilOffset !== null);

async function stopsAt(
  { state }: PartitionDependencies,
  params: PartitionParams,
): Promise<{ topic: string; partition: number; stops: NotedStop[] }> {
  const read = READ_PARTITIONS.filter(
    ({ topic, partition }) => topic === params.topic && String(partition) === params.partition,
  );
  const first = read[0];
  if (first === undefined) throw new Refusal('NOT_FOUND', { message: 'Partition not found' });
  const { topic, partition } = first;
  return { topic, partition, stops: await notedStops(state.expiring, read) };
}

const notStopped = (): Refusal =>
  new Refusal('NOT_FOUND', {
    message: 'The partition is not stopped. Run "cas partitions" to see its status.',
  });

async function refusedRecord(
  dependencies: PartitionDependencies,
  stops: readonly NotedStop[],
): Promise<StoredRecord | null> {
  const stop = stops.find(({ kind }) => kind === 'RECORD_REFUSED');
  return stop === undefined ? null : readAt(dependencies, stop);
}

async function readAt({ log }: PartitionDependencies, stop: NotedStop): Promise<StoredRecord> {
  const record = stop.offset === null ? null : await log.read(stop.topic, stop.partition, stop.offset);
  if (record !== null) return record;
  throw new Refusal('PARTITION_NOT_STOPPED', {
    message: 'The record is no longer in the log. The partition reports this at its next check.',
  });
}

/** The customer whose key a record carried, unless it does not exist or is being erased: its entries fold to blank. */
async function knownCustomer({ state }: PartitionDependencies, key: string): Promise<string | null> {
  if (key === '' || /\p{Cc}/u.test(key)) return null;
  const customer = await state.documents.get<CustomerRecord>({ scope: key, collection: CUSTOMERS, id: key });
  return customer?.value.active === true ? key : null;
}

const shownStop = (stop: NotedStop): StoppedPartition => ({
  ...stop,
  since: new Date(stop.since).toISOString(),
  acceptable: isAcceptable(stop),
});

function shownRecord(
  { codec }: PartitionDependencies,
  record: StoredRecord,
): NonNullable<ShownPartition['record']> {
  const { offset, timestamp, key, headers, value, topic } = record;
  const entry = topic === LEDGER.name ? decodedEntry(codec, value) : null;
  return {
    offset,
    timestamp: new Date(timestamp).toISOString(),
    key,
    headers,
    valueBytes: value.length,
    digest: recordDigest(record),
    kind: entry?.kind ?? null,
    id: entry?.id ?? null,
  };
}

function decodedEntry(
  codec: PartitionDependencies['codec'],
  value: Buffer,
): { kind: string; id: string } | null {
  try {
    const { kind, id } = codec.decodeLedgerEntry(value);
    return { kind, id };
  } catch {
    return null;
  }
}
