import {
  type ConnectionSettings,
  type KafkaAddress,
  type KafkaConnection,
  messageOf,
  openConnection,
} from './kafka-connection.ts';
import { BrokerError, CODES, TopicReplaced, Unreachable } from './kafka-errors.ts';
import { createLane, type Lane } from './kafka-lane.ts';
import type { Apis } from './kafka-requests.ts';

/** What the log needs of a logger; messages carry no content of records. */
export interface KafkaLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface ClusterOptions extends ConnectionSettings {
  readonly brokers: readonly string[];
  readonly topics: readonly string[];
  readonly logger: KafkaLogger;
}

/** Who leads what, and how to reach it. */
export interface KafkaCluster {
  /** Connections of their own for one kind of work. */
  lane(): Lane;
  /** Broker that leads the partition. Throws `Unreachable` while there is none. */
  leader(topic: string, partition: number): number;
  /** Some broker, for what each of them can do. Throws `Unreachable` while none is known. */
  anyNode(): number;
  /** Asks one broker after the other until one answers: a start must not depend on one that is away. */
  askAny<Name extends Answerable>(
    name: Name,
    payload: Apis[Name]['request'],
  ): Promise<Apis[Name]['response']>;
  /** Partitions that a topic has now, or null when it does not exist. */
  partitionCount(topic: string): number | null;
  /** Brokers that are to keep a copy of each of its partitions; of those that differ the fewest. */
  replicaCount(topic: string): number;
  /** Asks again who leads what; calls at the same time share one question. Rejects with `Unreachable`. */
  refresh(): Promise<void>;
  /** Broker that coordinates the group, asked once until `forgetCoordinator`. */
  coordinator(group: string): Promise<number>;
  forgetCoordinator(group: string): void;
  /** Set for good when a topic was deleted or created again. */
  readonly replaced: TopicReplaced | null;
  onReplaced(listener: (error: TopicReplaced) => void): () => void;
  close(): void;
}

/** What every broker answers alike. */
type Answerable = 'Metadata' | 'GroupCoordinator' | 'DescribeConfigs';

interface KnownTopic {
  id: string;
  /** Broker per partition, -1 without one. */
  leaders: readonly number[];
  replicas: number;
  missingSince: number | null;
}

/** A topic that is not there for so long was deleted; shorter, a broker may only be behind. */
const DELETED_AFTER_MS = 20_000;
const REFRESH_INTERVAL_MS = 30_000;
const SEED = -1;

export function createCluster(options: ClusterOptions): KafkaCluster {
  const { brokers, logger } = options;
  const seeds = brokers.map(parseAddress);
  const known = new Map<string, KnownTopic>();
  const nodes = new Map<number, KafkaAddress>();
  const coordinators = new Map<string, Promise<number>>();
  const listeners = new Set<(error: TopicReplaced) => void>();
  const lanes = new Set<Lane>();
  const unreachable = new Set<string>();
  let refreshing: Promise<void> | null = null;
  let replaced: TopicReplaced | null = null;
  let seed = 0;
  let answered: number | null = null;

  async function connect(address: KafkaAddress): Promise<KafkaConnection> {
    const name = `${address.host}:${address.port}`;
    try {
      const connection = await openConnection(address, options);
      if (unreachable.delete(name)) logger.info(`broker ${name} can be reached again`);
      return connection;
    } catch (error) {
      if (!unreachable.has(name)) logger.warn(`${messageOf(error)}; trying again`);
      unreachable.add(name);
      throw error;
    }
  }

  function lane(): Lane {
    const addressOf = (node: number) =>
      node === SEED ? seeds[seed % seeds.length]! : (nodes.get(node) ?? null);
    const created = createLane({ addressOf, connect });
    lanes.add(created);
    return {
      ...created,
      close: () => {
        lanes.delete(created);
        created.close();
      },
    };
  }

  const own = lane();

  /**
   * Asks the brokers one after the other, the one that answered last before the others and the given addresses last,
   * until one answers: one that hangs costs its time-out once and not with every question.
   */
  async function askAny<Name extends Answerable>(
    name: Name,
    payload: Apis[Name]['request'],
  ): Promise<Apis[Name]['response']> {
    let failure: unknown = new Unreachable('no broker is known');
    const others = [...nodes.keys()].filter((node) => node !== answered);
    for (const node of answered !== null && nodes.has(answered) ? [answered, ...others] : others) {
      try {
        const answer = await own.request(node, name, payload);
        answered = node;
        return answer;
      } catch (error) {
        failure = error;
      }
    }
    for (let attempt = 0; attempt < seeds.length; attempt += 1) {
      try {
        return await own.request(SEED, name, payload);
      } catch (error) {
        failure = error;
        seed += 1;
      }
    }
    throw failure;
  }

  function replace(topic: string, what: 'deleted' | 'created again'): void {
    if (replaced !== null) return;
    replaced = new TopicReplaced(topic, what);
    logger.error(replaced.message);
    for (const listener of [...listeners]) listener(replaced);
  }

  function learn({ topics, brokers: answered }: Apis['Metadata']['response']): void {
    nodes.clear();
    for (const { nodeId, host, port } of answered) nodes.set(nodeId, { host, port });
    for (const topic of topics) {
      const before = known.get(topic.name);
      if (topic.errorCode === CODES.UNKNOWN_TOPIC_OR_PARTITION) {
        if (before === undefined) continue;
        before.missingSince ??= performance.now();
        if (performance.now() - before.missingSince > DELETED_AFTER_MS) replace(topic.name, 'deleted');
        continue;
      }
      if (topic.partitions.length === 0) continue;
      if (before !== undefined && before.id !== topic.id) replace(topic.name, 'created again');
      const leaders = new Array<number>(topic.partitions.length).fill(-1);
      for (const { partition, leader } of topic.partitions) leaders[partition] = leader;
      const replicas = Math.min(...topic.partitions.map((partition) => partition.replicas));
      known.set(topic.name, { id: before?.id ?? topic.id, leaders, replicas, missingSince: null });
    }
  }

  async function askMetadata(): Promise<void> {
    learn(await askAny('Metadata', { topics: options.topics }));
  }

  function refresh(): Promise<void> {
    refreshing ??= askMetadata().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  async function findCoordinator(group: string): Promise<number> {
    const { errorCode, coordinator } = await askAny('GroupCoordinator', { groupId: group });
    if (errorCode !== CODES.NONE) throw new BrokerError(`coordinator of group ${group}`, errorCode);
    if (!nodes.has(coordinator.nodeId)) await refresh();
    return coordinator.nodeId;
  }

  // Also finds a topic that was replaced while nothing failed.
  const timer = setInterval(() => void refresh().catch(() => undefined), REFRESH_INTERVAL_MS);
  timer.unref();

  return {
    lane,
    leader(topic, partition) {
      const leader = known.get(topic)?.leaders[partition] ?? -1;
      if (leader < 0) throw new Unreachable(`${topic}/${partition} has no leader`);
      return leader;
    },
    anyNode() {
      const all = [...nodes.keys()];
      if (all.length === 0) throw new Unreachable('no broker is known');
      return all[Math.floor(Math.random() * all.length)]!;
    },
    askAny,
    partitionCount: (topic) => known.get(topic)?.leaders.length ?? null,
    replicaCount: (topic) => known.get(topic)?.replicas ?? 0,
    refresh,
    coordinator(group) {
      const asked = coordinators.get(group) ?? findCoordinator(group);
      coordinators.set(group, asked);
      asked.catch(() => {
        if (coordinators.get(group) === asked) coordinators.delete(group);
      });
      return asked;
    },
    forgetCoordinator: (group) => coordinators.delete(group),
    get replaced() {
      return replaced;
    },
    onReplaced(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      for (const each of lanes) each.close();
    },
  };
}

/** "host:port", also "[::1]:9092". */
export function parseAddress(text: string): KafkaAddress {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[3]);
  if (match === null || port < 1 || port > 65_535) {
    throw new Error(`"${text}" is no broker address; write host:port, several separated by commas`);
  }
  return { host: (match[1] ?? match[2])!, port };
}
