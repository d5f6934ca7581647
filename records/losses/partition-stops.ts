import type { State } from '#platform/state/port.ts';
import { stopNotes } from '#platform/stream/partition/stop-notes.ts';
import type { StopNotes } from '#platform/stream/partition/stops.ts';
import { type AcceptedLoss, acceptedLoss, type LossPosition } from './accepted-losses.ts';

/** A group's stopped partitions as operators see them, and the operators' decisions. */
interface PartitionStops extends StopNotes {
  /** The loss accepted at this log position in the current epoch, or null. */
  acceptedLoss(position: Omit<LossPosition, 'epoch'>): Promise<AcceptedLoss | null>;
}

/** `epoch`: the log's; null: not known yet, and no loss was ever accepted. */
export function partitionStops(
  state: Pick<State, 'documents' | 'expiring'>,
  group: string,
  epoch: () => Promise<number | null>,
): PartitionStops {
  const lossAt: PartitionStops['acceptedLoss'] = async ({ topic, partition, offset }) => {
    const present = await epoch();
    return present === null
      ? null
      : acceptedLoss(state.documents, { epoch: present, topic, partition, offset });
  };
  return {
    ...stopNotes(state.expiring, group),
    acceptedLoss: lossAt,
    decided: async ({ topic, partition, offset }) =>
      offset !== null && (await lossAt({ topic, partition, offset })) !== null,
  };
}
