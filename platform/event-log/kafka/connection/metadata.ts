import { CODES, TopicReplaced, Unreachable } from '../protocol/errors.ts';
import type { Apis } from '../protocol/requests.ts';
import type { KafkaAddress, KafkaLogger } from './connection.ts';

interface KnownTopic {
  id: string;
  /** Leading broker of each partition; -1 for none. */
  leaders: readonly number[];
  replicas: number;
  missingSince: number | null;
}

/** A topic that is missing for this long counts as deleted; before that, a broker may only have old metadata. */
const DELETED_AFTER_MS = 20_000;

/** Cluster metadata: brokers and topics, and whether the topics are still the same as when this process started. */
export class Metadata {
  readonly #logger: Pick<KafkaLogger, 'error'>;
  readonly #topics = new Map<string, KnownTopic>();
  readonly #nodes = new Map<number, KafkaAddress>();
  readonly #listeners = new Set<(error: TopicReplaced) => void>();
  #replaced: TopicReplaced | null = null;

  constructor(logger: Pick<KafkaLogger, 'error'>) {
    this.#logger = logger;
  }

  /** Set permanently once a topic was deleted or recreated. */
  get replaced(): TopicReplaced | null {
    return this.#replaced;
  }

  onReplaced(listener: (error: TopicReplaced) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  nodes(): number[] {
    return [...this.#nodes.keys()];
  }

  addressOf(node: number): KafkaAddress | null {
    return this.#nodes.get(node) ?? null;
  }

  leader(topic: string, partition: number): number {
    const leader = this.#topics.get(topic)?.leaders[partition] ?? -1;
    if (leader < 0) throw new Unreachable(`${topic}/${partition} has no leader`);
    return leader;
  }

  partitionCount(topic: string): number | null {
    return this.#topics.get(topic)?.leaders.length ?? null;
  }

  replicaCount(topic: string): number {
    return this.#topics.get(topic)?.replicas ?? 0;
  }

  learn({ topics, brokers }: Apis['Metadata']['response']): void {
    this.#nodes.clear();
    for (const { nodeId, host, port } of brokers) this.#nodes.set(nodeId, { host, port });
    for (const topic of topics) {
      if (topic.errorCode === CODES.UNKNOWN_TOPIC_OR_PARTITION) this.#miss(topic.name);
      else if (topic.partitions.length > 0) this.#see(topic);
    }
  }

  #miss(name: string): void {
    const before = this.#topics.get(name);
    if (before === undefined) return;
    before.missingSince ??= performance.now();
    if (performance.now() - before.missingSince > DELETED_AFTER_MS) this.#replace(name, 'deleted');
  }

  #see({ name, id, partitions }: Apis['Metadata']['response']['topics'][number]): void {
    const before = this.#topics.get(name);
    if (before !== undefined && before.id !== id) this.#replace(name, 'created again');
    const leaders = new Array<number>(partitions.length).fill(-1);
    for (const { partition, leader } of partitions) leaders[partition] = leader;
    const replicas = Math.min(...partitions.map((partition) => partition.replicas));
    this.#topics.set(name, { id: before?.id ?? id, leaders, replicas, missingSince: null });
  }

  #replace(topic: string, what: 'deleted' | 'created again'): void {
    if (this.#replaced !== null) return;
    this.#replaced = new TopicReplaced(topic, what);
    this.#logger.error({ topic, reason: this.#replaced.message }, 'topic deleted or recreated');
    for (const listener of [...this.#listeners]) listener(this.#replaced);
  }
}
