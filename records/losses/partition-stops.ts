import type { State } from '#platform/state/port.ts';
import { stopNotes } from '#platform/stream/partition/stop-notes.ts';
import type { StopNotes } from '#platform/stream/partition/stops.ts';
import { type AcceptedLoss, acceptedLoss, type LossPlace } from './accepted-losses.ts';

/** What operators see of a group's stopped partitions, and what they have decided. */
interface PartitionStops extends StopNotes {
  /** The loss that was accepted at this place of the log in the current epoch, or null. */
  acceptedLoss(place: Omit<LossPlace, 'epoch'>): Promise<AcceptedLoss | null>;
}

/** `epoch`: the log's; null: not known yet, and nothing was ever accepted. */
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
