import { withTimeout } from '#platform/flow/with-timeout.ts';
import { balance } from '../assignment.ts';
import type { LogWarnings, Member } from './consumer.ts';
import type { PartitionState } from './topics.ts';

export interface ConsumerGroup {
  join(member: Member): void;
  leave(member: Member): void;
}

interface Slot {
  readonly partition: PartitionState;
  owner: Member | null;
  target: Member | null;
  moving: boolean;
}

interface ConsumerGroupOptions {
  readonly name: string;
  readonly partitions: (topic: string) => readonly PartitionState[];
  /**
   * How long a handler may continue after its partition was lost, ms; after that the next owner starts while it still
   * runs.
   */
  readonly revocationTimeoutMs: number;
  readonly logger: LogWarnings;
}

/**
 * Assigns the partitions of each topic to the group's members that read it. Each partition moves separately: the old
 * owner releases it once its handler has settled, and then it is assigned to the new one. A handler that ignores its
 * signal for too long is overtaken, as a paused process would be; its commits are refused.
 */
export function createConsumerGroup(options: ConsumerGroupOptions): ConsumerGroup {
  const { name, partitions, revocationTimeoutMs, logger } = options;
  const members: Member[] = [];
  const slots = new Map<string, Slot[]>();

  function rebalance(): void {
    for (const [topic, all] of slots) {
      const readers = members.filter((member) => member.topics.has(topic));
      const targets = balance(
        all.map((slot) => slot.target),
        readers,
      );
      for (const [index, slot] of all.entries()) {
        slot.target = targets[index] ?? null;
        void move(slot);
      }
    }
  }

  async function move(slot: Slot): Promise<void> {
    if (slot.moving) return;
    slot.moving = true;
    // Also for a first owner: `consume` must have returned before handlers are called.
    await new Promise(setImmediate);
    while (slot.owner !== slot.target) {
      if (slot.owner !== null) await released(slot.owner, slot.partition);
      slot.owner = slot.target;
      slot.owner?.take(slot.partition);
    }
    slot.moving = false;
  }

  const released = (owner: Member, partition: PartitionState): Promise<void> =>
    withTimeout(owner.release(partition), revocationTimeoutMs, () =>
      logger.warn(
        {
          group: name,
          topic: partition.topic,
          partition: partition.partition,
          timeoutMs: revocationTimeoutMs,
        },
        'handler still running after revocation; next owner starts',
      ),
    );

  return {
    join(member) {
      members.push(member);
      for (const topic of member.topics) {
        if (slots.has(topic)) continue;
        const idle = { owner: null, target: null, moving: false };
        slots.set(
          topic,
          partitions(topic).map((partition) => ({ partition, ...idle })),
        );
      }
      rebalance();
    },
    leave(member) {
      const index = members.indexOf(member);
      if (index >= 0) members.splice(index, 1);
      rebalance();
    },
  };
}
