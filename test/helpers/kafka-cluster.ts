import { rmSync } from 'node:fs';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import {
  clientAccess,
  clusterBroker,
  createCluster,
  type KafkaShape,
} from '../../deploy/local/kafka/kafka-cluster.ts';
import { type LocalServer, startLocalServer } from '../../deploy/local/server/local-server.ts';
import { makeRunFolder } from '../real/run-folder.ts';

/** Brokers for one test; they end with this process at the latest. */
export interface TestCluster {
  readonly brokers: readonly LocalServer[];
  readonly addresses: readonly string[];
  readonly access: {
    readonly ssl: { readonly ca: string };
    readonly sasl: {
      readonly mechanism: 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    };
  };
  /** In-sync replicas of each partition of the topic, from the cluster's admin API. */
  inSync(topic: string): Promise<readonly (readonly number[])[]>;
  /** The leader of each partition of the topic. */
  leaders(topic: string): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** Brokers with TLS and passwords, without the other servers of a stack. Three take about ten seconds on two cores. */
export async function startTestCluster(shape: KafkaShape & { readonly tls: true }): Promise<TestCluster> {
  const folder = makeRunFolder();
  const cluster = await createCluster(folder, shape);
  const settled = await Promise.allSettled(
    cluster.nodes.map((node) => {
      const kind = clusterBroker(folder, cluster, node);
      return startLocalServer(kind, { folder: path.join(folder, kind.name) });
    }),
  );
  const brokers = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(brokers.map((broker) => broker.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const { ssl, sasl } = clientAccess(folder, cluster)!;
  const addresses = brokers.map(({ address }) => address);
  const partitionsOf = async (topic: string) => {
    const admin = new Kafka({ brokers: addresses, ssl, sasl, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      return [...topics[0]!.partitions].sort((a, b) => a.partitionId - b.partitionId);
    } finally {
      await admin.disconnect();
    }
  };
  return {
    brokers,
    addresses,
    access: { ssl: { ca: ssl.ca[0]! }, sasl },
    inSync: async (topic) => (await partitionsOf(topic)).map(({ isr }) => isr),
    leaders: async (topic) => (await partitionsOf(topic)).map(({ leader }) => leader),
    stop,
  };
}
