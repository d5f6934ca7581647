import { groupBy } from '#schemas/group-by.ts';

/** The protocol's requests and answers, limited to what is used. 64-bit integers arrive as decimal strings. */

interface ByTopic<Partition> {
  readonly topic: string;
  readonly partitions: readonly Partition[];
}

export interface WireRecord {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | null | readonly (Buffer | null)[]>>;
  readonly isControlRecord: boolean;
}

export interface FetchedPartition {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: string;
  readonly messages: readonly WireRecord[];
  /** The batch after the messages, if it cannot be decoded. */
  readonly unreadable: UnreadableBatch | null;
}

/** A batch of records with an unsupported codec or damaged bytes. */
export interface UnreadableBatch {
  readonly codec: string;
  /** The codec is supported, but the bytes cannot be decoded with it. */
  readonly isDamaged: boolean;
  readonly offset: number;
  /** Offset of the first record after it. */
  readonly nextOffset: number;
}

export interface ProducedPartition {
  readonly partition: number;
  readonly errorCode: number;
  readonly baseOffset: string;
  /** "-1" when the topic keeps the producers' timestamps. */
  readonly logAppendTime: string;
}

export interface ConfigEntry {
  readonly configName: string;
  readonly configValue: string;
}

export interface TopicMetadata {
  readonly errorCode: number;
  readonly name: string;
  /** Hex; changes when the topic is deleted and recreated. */
  readonly id: string;
  readonly partitions: readonly {
    readonly errorCode: number;
    readonly partition: number;
    readonly leader: number;
    /** Replicas of the partition, including those on brokers that are down. */
    readonly replicas: number;
  }[];
}

export interface Apis {
  Metadata: {
    request: { readonly topics: readonly string[] };
    response: {
      readonly brokers: readonly {
        readonly nodeId: number;
        readonly host: string;
        readonly port: number;
      }[];
      readonly topics: readonly TopicMetadata[];
    };
  };
  CreateTopics: {
    request: {
      readonly timeout: number;
      readonly topics: readonly {
        readonly topic: string;
        readonly numPartitions: number;
        readonly replicationFactor: number;
        readonly configEntries: readonly { readonly name: string; readonly value: string }[];
      }[];
    };
    response: {
      readonly topicErrors: readonly {
        readonly topic: string;
        readonly errorCode: number;
        readonly errorMessage: string | null;
      }[];
    };
  };
  DescribeConfigs: {
    request: {
      readonly resources: readonly {
        readonly type: number;
        readonly name: string;
        readonly configNames: readonly string[];
      }[];
    };
    response: {
      readonly resources: readonly {
        readonly errorCode: number;
        readonly resourceName: string;
        readonly configEntries: readonly ConfigEntry[];
      }[];
    };
  };
  InitProducerId: {
    request: Record<never, never>;
    response: { readonly errorCode: number; readonly producerId: string; readonly producerEpoch: number };
  };
  Produce: {
    request: {
      readonly acks: number;
      readonly timeout: number;
      readonly producerId: string;
      readonly producerEpoch: number;
      readonly topicData: readonly ByTopic<{
        readonly partition: number;
        readonly firstSequence: number;
        readonly messages: readonly {
          readonly key: string;
          readonly value: Buffer;
          readonly headers: Readonly<Record<string, string>>;
          readonly timestamp: number;
        }[];
      }>[];
    };
    response: {
      readonly topics: readonly {
        readonly topicName: string;
        readonly partitions: readonly ProducedPartition[];
      }[];
    };
  };
  Fetch: {
    request: {
      readonly maxWaitTime: number;
      readonly minBytes: number;
      readonly maxBytes: number;
      readonly isolationLevel: number;
      readonly topics: readonly ByTopic<{
        readonly partition: number;
        readonly fetchOffset: string;
        readonly maxBytes: number;
      }>[];
    };
    response: {
      readonly errorCode: number;
      readonly responses: readonly {
        readonly topicName: string;
        readonly partitions: readonly FetchedPartition[];
      }[];
    };
  };
  ListOffsets: {
    request: {
      readonly isolationLevel: number;
      readonly topics: readonly ByTopic<{ readonly partition: number; readonly timestamp: number }>[];
    };
    response: {
      readonly responses: readonly ByTopic<{
        readonly partition: number;
        readonly errorCode: number;
        readonly offset: string;
      }>[];
    };
  };
  GroupCoordinator: {
    request: { readonly groupId: string };
    response: { readonly errorCode: number; readonly coordinator: { readonly nodeId: number } };
  };
  JoinGroup: {
    request: {
      readonly groupId: string;
      readonly sessionTimeout: number;
      readonly rebalanceTimeout: number;
      readonly memberId: string;
      readonly protocolType: string;
      readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
    };
    response: {
      readonly errorCode: number;
      readonly generationId: number;
      readonly leaderId: string;
      readonly memberId: string;
      readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
    };
  };
  SyncGroup: {
    request: {
      readonly groupId: string;
      readonly generationId: number;
      readonly memberId: string;
      readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
    };
    response: { readonly errorCode: number; readonly memberAssignment: Buffer };
  };
  Heartbeat: {
    request: {
      readonly groupId: string;
      readonly groupGenerationId: number;
      readonly memberId: string;
    };
    response: { readonly errorCode: number };
  };
  LeaveGroup: {
    request: { readonly groupId: string; readonly memberId: string };
    response: { readonly errorCode: number };
  };
  DescribeGroups: {
    request: { readonly groupIds: readonly string[] };
    response: {
      readonly groups: readonly {
        readonly errorCode: number;
        readonly groupId: string;
        readonly members: readonly { readonly clientId: string; readonly clientHost: string }[];
      }[];
    };
  };
  OffsetCommit: {
    request: {
      readonly groupId: string;
      readonly groupGenerationId: number;
      readonly memberId: string;
      readonly topics: readonly ByTopic<{ readonly partition: number; readonly offset: string }>[];
    };
    response: {
      readonly responses: readonly ByTopic<{ readonly partition: number; readonly errorCode: number }>[];
    };
  };
  OffsetFetch: {
    request: {
      readonly groupId: string;
      readonly topics: readonly ByTopic<{ readonly partition: number }>[];
    };
    response: {
      readonly errorCode: number;
      readonly responses: readonly ByTopic<{
        readonly partition: number;
        readonly offset: string;
        readonly errorCode: number;
      }>[];
    };
  };
}

/** Groups partitions by topic, as all requests need them. */
export function byTopic<Item extends { readonly topic: string }, Partition>(
  items: Iterable<Item>,
  partitionOf: (item: Item) => Partition,
): ByTopic<Partition>[] {
  const topics = groupBy(items, ({ topic }) => topic);
  return [...topics].map(([topic, of]) => ({ topic, partitions: of.map(partitionOf) }));
}
