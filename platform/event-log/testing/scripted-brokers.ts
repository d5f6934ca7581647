import type { KafkaCluster } from '../kafka/connection/cluster.ts';
import type { ConnectionPool } from '../kafka/connection/pool.ts';
import { CODES, ConnectionLost, Unreachable } from '../kafka/protocol/errors.ts';
import type { Apis } from '../kafka/protocol/requests.ts';

type Produce = Apis['Produce']['request'];
type Produced = Apis['Produce']['response'];

/** What happens to the next request for a partition. */
export type Fault = 'lose the request' | 'lose the answer' | 'not the leader' | 'unreachable';

export interface ScriptedBrokers {
  readonly pool: ConnectionPool;
  readonly cluster: KafkaCluster;
  /** Texts of the records in a partition, in order. */
  stored(partition: number): string[];
  /** Leaves the partition without a leader until it is restored. */
  removeLeader(partition: number): void;
  restoreLeader(partition: number): void;
  /** The broker accepts requests but answers none until it resumes. */
  hang(node: number): void;
  resume(node: number): void;
  /** Cuts the connections of a hanging broker, which stays hanging. */
  cut(node: number): void;
  moveLeader(partition: number, node: number): void;
  /** Requests in flight at a broker: now, and the maximum so far. */
  inFlight(node: number): { readonly now: number; readonly max: number };
}

/**
 * Brokers of one topic as an idempotent producer sees them: they store a batch once, recognize a retry by its numbers,
 * and refuse numbers that are out of order. Broker p modulo `brokers` leads partition p. `faultOf` decides for each
 * request what goes wrong.
 */
export function scriptedBrokers(
  brokers: number,
  faultOf: (node: number) => Fault | null = () => null,
): ScriptedBrokers {
  const logs = new Map<number, string[]>();
  const batches = new Map<string, { offset: number; count: number }>();
  const expected = new Map<string, number>();
  const leaderless = new Set<number>();
  const hanging = new Map<number, ((lost?: Error) => void)[]>();
  const moved = new Map<number, number>();
  const running = new Map<number, { now: number; max: number }>();
  let producers = 0;
  const logOf = (partition: number): string[] => {
    const log = logs.get(partition) ?? [];
    logs.set(partition, log);
    return log;
  };

  function store(producer: string, sent: Produce['topicData'][number]['partitions'][number]) {
    const { partition, firstSequence, messages } = sent;
    if (leaderless.has(partition)) return { errorCode: CODES.NOT_LEADER as number, baseOffset: '-1' };
    const name = `${producer} ${partition}`;
    const known = batches.get(`${name} ${firstSequence}`);
    if (known !== undefined && known.count === messages.length)
      return { errorCode: CODES.NONE as number, baseOffset: `${known.offset}` };
    if (firstSequence !== (expected.get(name) ?? 0))
      return { errorCode: CODES.OUT_OF_ORDER_SEQUENCE as number, baseOffset: '-1' };
    const log = logOf(partition);
    const offset = log.length;
    log.push(...messages.map(({ value }) => value.toString()));
    batches.set(`${name} ${firstSequence}`, { offset, count: messages.length });
    expected.set(name, firstSequence + messages.length);
    return { errorCode: CODES.NONE as number, baseOffset: `${offset}` };
  }

  async function produce(node: number, { producerId, topicData }: Produce): Promise<Produced> {
    const fault = faultOf(node);
    if (fault === 'unreachable') throw new Unreachable('away');
    await new Promise<void>((resolve, reject) => {
      const held = hanging.get(node);
      if (held === undefined) resolve();
      else held.push((lost) => (lost === undefined ? resolve() : reject(lost)));
    });
    await new Promise(setImmediate);
    if (fault === 'lose the request') throw new ConnectionLost('cut');
    const topics = topicData.map(({ topic, partitions }) => ({
      topicName: topic,
      partitions: partitions.map((sent) => ({
        partition: sent.partition,
        logAppendTime: '-1',
        ...(fault === 'not the leader'
          ? { errorCode: CODES.NOT_LEADER as number, baseOffset: '-1' }
          : store(producerId, sent)),
      })),
    }));
    if (fault === 'lose the answer') throw new ConnectionLost('cut');
    return { topics };
  }

  const pool = {
    request: async (node: number, name: string, payload: object) => {
      if (name !== 'Produce') {
        producers += 1;
        return { errorCode: 0, producerId: `p${producers}`, producerEpoch: 0 };
      }
      const count = running.get(node) ?? { now: 0, max: 0 };
      running.set(node, count);
      count.now += 1;
      count.max = Math.max(count.max, count.now);
      return produce(node, payload as Produce).finally(() => {
        count.now -= 1;
      });
    },
    close: () => undefined,
  } as ConnectionPool;
  const cluster = {
    leader: (_topic: string, partition: number) => moved.get(partition) ?? partition % brokers,
    anyNode: () => 0,
    refresh: async () => undefined,
    replaced: null,
  } as unknown as KafkaCluster;

  return {
    pool,
    cluster,
    stored: logOf,
    removeLeader: (partition) => void leaderless.add(partition),
    restoreLeader: (partition) => void leaderless.delete(partition),
    hang: (node) => void hanging.set(node, []),
    resume: (node) => {
      for (const end of hanging.get(node) ?? []) end();
      hanging.delete(node);
    },
    cut: (node) => {
      for (const end of hanging.get(node)?.splice(0) ?? []) end(new ConnectionLost('cut'));
    },
    moveLeader: (partition, node) => void moved.set(partition, node),
    inFlight: (node) => running.get(node) ?? { now: 0, max: 0 },
  };
}
