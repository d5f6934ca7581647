import type { Assignment, Batch } from '#platform/event-log/port.ts';
import type { HeldAssignment } from '../flush/held-assignment.ts';
import type { Sink } from '../pipeline.ts';

/**
 * A sink without the consumer loop: batches are processed under the last assignment of their partition, which is never
 * lost.
 */
export function undisturbed(sink: Sink) {
  const assignments = new Map<string, Assignment>();
  const keyOf = ({ topic, partition }: Pick<Batch, 'topic' | 'partition'>): string => `${topic}/${partition}`;
  return {
    linger: sink.linger,
    onAssigned: (assignment: Assignment): Promise<number> => {
      assignments.set(keyOf(assignment), assignment);
      return sink.onAssigned(assignment);
    },
    process: (batch: Batch): Promise<undefined> =>
      sink.process(batch, { ...heldAssignment(batch), ...assignedTo(assignments.get(keyOf(batch))) }),
  };
}

const assignedTo = (assignment: Assignment | undefined): Partial<HeldAssignment> =>
  assignment === undefined ? {} : { assignment };

/** A separate assignment for one batch. */
export function heldAssignment({ topic, partition, end }: Batch): HeldAssignment {
  return {
    assignment: { topic, partition, start: 0, end, committed: null },
    signal: new AbortController().signal,
  };
}
