import { singleFlight } from '#platform/flow/single-flight.ts';
import { BrokerError, CODES, type TopicReplaced, Unreachable } from '../protocol/errors.ts';
import type { Apis } from '../protocol/requests.ts';
import {
  type ConnectionSettings,
  type KafkaAddress,
  type KafkaConnection,
  type KafkaLogger,
  messageOf,
  openConnection,
} from './connection.ts';
import { Metadata } from './metadata.ts';
import { type ConnectionPool, createConnectionPool } from './pool.ts';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

interface ClusterOptions extends ConnectionSettings {
  readonly brokers: readonly string[];
  readonly topics: readonly string[];
  readonly logger: KafkaLogger;
}

/** Which broker leads each partition, and how to reach it. */
export interface KafkaCluster {
  /** A separate connection pool for one kind of work. */
  pool(): ConnectionPool;
  /** Broker that leads the partition. Throws `Unreachable` when there is none. */
  leader(topic: string, partition: number): number;
  /** Any broker, for requests that all of them can answer. Throws `Unreachable` when none is known. */
  anyNode(): number;
  /** Asks one broker after another until one answers, so that startup does not depend on one that is down. */
  askAny: AskAny;
  /** Current partition count of a topic, or null when it does not exist. */
  partitionCount(topic: string): number | null;
  /** Replicas of each partition; the lowest count when they differ. */
  replicaCount(topic: string): number;
  /** Refreshes the metadata; concurrent calls share one request. Rejects with `Unreachable`. */
  refresh(): Promise<void>;
  /** Broker that coordinates the group, cached until `forgetCoordinator`. */
  coordinator(group: string): Promise<number>;
  forgetCoordinator(group: string): void;
  /** Set permanently once a topic was deleted or recreated. */
  readonly replaced: TopicReplaced | null;
  onReplaced(listener: (error: TopicReplaced) => void): () => void;
  close(): void;
}

/** Requests to which every broker gives the same answer. */
type Answerable = 'Metadata' | 'GroupCoordinator' | 'DescribeConfigs';
type AskAny = <Name extends Answerable>(
  name: Name,
  payload: Apis[Name]['request'],
) => Promise<Apis[Name]['response']>;

const REFRESH_INTERVAL_MS = 30_000;
/** Node ids of the configured addresses, used while no broker is known. */
const seedNode = (index: number): number => -1 - index;

export function createCluster(options: ClusterOptions): KafkaCluster {
  const seeds = options.brokers.map(parseAddress);
  const metadata = new Metadata(options.logger);
  const connect = connectorOf(options);
  const pools = new Set<ConnectionPool>();
  const coordinators = new Map<string, Promise<number>>();
  const addressOf = (node: number) => (node < 0 ? (seeds[seedNode(node)] ?? null) : metadata.addressOf(node));

  function pool(): ConnectionPool {
    const created = createConnectionPool({ addressOf, connect });
    pools.add(created);
    return {
      ...created,
      close: () => {
        pools.delete(created);
        created.close();
      },
    };
  }

  const askAny = askAnyOf(pool(), metadata, seeds.length);
  const refresh = singleFlight(async () =>
    metadata.learn(await askAny('Metadata', { topics: options.topics })),
  );
  async function findCoordinator(group: string): Promise<number> {
    const { errorCode, coordinator } = await askAny('GroupCoordinator', { groupId: group });
    if (errorCode !== CODES.NONE) throw new BrokerError(`coordinator of group ${group}`, errorCode);
    if (metadata.addressOf(coordinator.nodeId) === null) await refresh();
    return coordinator.nodeId;
  }
  // Also detects a topic that was replaced without any request failing.
  const timer = setInterval(() => void refresh().catch(() => undefined), REFRESH_INTERVAL_MS);
  timer.unref();

  return {
    pool,
    leader: (topic, partition) => metadata.leader(topic, partition),
    anyNode() {
      const all = metadata.nodes();
      if (all.length === 0) throw new Unreachable('no broker is known');
      return all[Math.floor(Math.random() * all.length)]!;
    },
    askAny,
    partitionCount: (topic) => metadata.partitionCount(topic),
    replicaCount: (topic) => metadata.replicaCount(topic),
    refresh,
    coordinator(group) {
      const requested = coordinators.get(group) ?? findCoordinator(group);
      coordinators.set(group, requested);
      requested.catch(() => {
        if (coordinators.get(group) === requested) coordinators.delete(group);
      });
      return requested;
    },
    forgetCoordinator: (group) => coordinators.delete(group),
    get replaced() {
      return metadata.replaced;
    },
    onReplaced: (listener) => metadata.onReplaced(listener),
    close() {
      clearInterval(timer);
      for (const each of pools) each.close();
    },
  };
}

/** Connects. Logs once when a broker becomes unreachable, and once when it is reachable again. */
function connectorOf(options: ClusterOptions): (address: KafkaAddress) => Promise<KafkaConnection> {
  const { logger } = options;
  const unreachable = new Set<string>();
  return async (address) => {
    const name = `${address.host}:${address.port}`;
    try {
      const connection = await openConnection(address, options);
      if (unreachable.delete(name)) logger.info({ broker: name }, 'broker available again');
      return connection;
    } catch (error) {
      if (!unreachable.has(name))
        logger.warn({ broker: name, reason: messageOf(error) }, 'broker unavailable; retrying');
      unreachable.add(name);
      throw error;
    }
  };
}

/**
 * Asks the brokers one after another until one answers: first the one that answered last time, finally the configured
 * addresses. A broker that hangs therefore costs its time-out once, not on every request.
 */
function askAnyOf(pool: ConnectionPool, metadata: Metadata, seeds: number): AskAny {
  let answered: number | null = null;
  let firstSeed = 0;
  return async (name, payload) => {
    let failure: unknown = new Unreachable('no broker is known');
    const nodes = metadata.nodes().sort((a, b) => Number(b === answered) - Number(a === answered));
    const last = Array.from({ length: seeds }, (_, index) => seedNode((firstSeed + index) % seeds));
    for (const node of [...nodes, ...last]) {
      try {
        const answer = await pool.request(node, name, payload);
        if (node >= 0) answered = node;
        return answer;
      } catch (error) {
        failure = error;
        if (node < 0) firstSeed += 1;
      }
    }
    throw failure;
  };
}

/** Parses "host:port", also "[::1]:9092". */
function parseAddress(text: string): KafkaAddress {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[3]);
  if (match === null || port < 1 || port > 65_535) {
    throw new Error(`"${text}" is not a broker address; use host:port, several separated by commas`);
  }
  return { host: (match[1] ?? match[2])!, port };
}
