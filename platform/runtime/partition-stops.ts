import { type AcceptedLoss, acceptedLoss, type LossPlace } from '../directory/accepted-losses.ts';
import type { State } from '../state/port.ts';
import type { StopNotes } from '../stream/partition-hold.ts';
import { stopNotes } from '../stream/stop-notes.ts';

/** What operators are told of a group's stopped partitions, and what they have decided. */
export interface PartitionStops extends StopNotes {
  /** The loss that was accepted at this place of the present epoch's log, or null. */
  acceptedLoss(place: Omit<LossPlace, 'epoch'>): Promise<AcceptedLoss | null>;
}

/** `epoch`: of the log; null: not known yet, and nothing was ever accepted. */
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
