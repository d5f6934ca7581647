import type { Expiring } from '#platform/state/port.ts';
import type { PartitionStop, StopNotes } from './stops.ts';

/** A note survives two missed refreshes; the note of a dead process expires. */
const NOTE_TTL_MS = 90_000;

export interface NotedStop extends PartitionStop {
  readonly group: string;
}

const keyOf = (group: string, topic: string, partition: number): string =>
  `stopped:${group}:${topic}:${partition}`;

/** Notes of one group's stopped partitions, kept in the state, where every API finds them. */
export function stopNotes(
  expiring: Pick<Expiring, 'get' | 'set' | 'delete'>,
  group: string,
): Pick<StopNotes, 'note' | 'forget'> {
  return {
    note: async (stop) => {
      const key = keyOf(group, stop.topic, stop.partition);
      const before = parse(await expiring.get(key));
      // The partition moved to this owner and hit the same fault, so it has been stopped since the first note.
      const isSame = before !== null && before.reason === stop.reason && before.offset === stop.offset;
      const since = isSame ? Math.min(before.since, stop.since) : stop.since;
      const noted: NotedStop = { ...stop, since, group };
      await expiring.set(key, JSON.stringify(noted), NOTE_TTL_MS);
    },
    forget: (topic, partition) => expiring.delete(keyOf(group, topic, partition)),
  };
}

/** The notes of these partitions, in order. */
export async function notedStops(
  expiring: Pick<Expiring, 'get'>,
  partitions: readonly { readonly group: string; readonly topic: string; readonly partition: number }[],
): Promise<NotedStop[]> {
  const notes = await Promise.all(
    partitions.map(({ group, topic, partition }) => expiring.get(keyOf(group, topic, partition))),
  );
  return notes.map(parse).filter((note) => note !== null);
}

const parse = (text: string | null): NotedStop | null =>
  text === null ? null : (JSON.parse(text) as NotedStop);
