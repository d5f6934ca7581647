import { randomBytes } from 'node:crypto';
import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import '#platform/event-log/kafka/protocol/wire.ts';
import {
  type LocalServer,
  type ServerKind,
  type ServerOptions,
  startLocalServer,
} from '../server/local-server.ts';
import { brokerProgram, prepareBroker, provideKafka } from './kafka-program.ts';
import { kafkaSettings } from './kafka-settings.ts';

export const newClusterId = (): string => randomBytes(16).toString('base64url');

/** Rejects while the broker is not part of its cluster. */
export async function askBroker(
  id: number,
  access: Pick<KafkaConfig, 'ssl' | 'sasl'> & { readonly brokers: string[] },
): Promise<void> {
  const client = new Kafka({
    ...access,
    logLevel: logLevel.NOTHING,
    connectionTimeout: 2_000,
    requestTimeout: 5_000,
    retry: { retries: 0 },
  });
  const admin = client.admin();
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    if (!brokers.some(({ nodeId }) => nodeId === id))
      throw new Error('the broker has not joined its cluster yet');
  } finally {
    await admin.disconnect();
  }
}

const ID = 1;

export const kafkaServer: ServerKind = {
  name: 'kafka',
  portCount: 2,
  startLimitMs: 90_000,
  stopLimitMs: 15_000,
  provide: provideKafka,
  address: ({ ports }) => `127.0.0.1:${ports[0]}`,
  prepare: (folder, { ports }) => {
    const node = { id: ID, ports };
    return prepareBroker(folder, kafkaSettings({ folder, node, nodes: [node], certificates: null }), {
      clusterId: newClusterId(),
    });
  },
  program: brokerProgram,
  ask: ({ address }) => askBroker(ID, { brokers: [address] }),
};

/** Apache Kafka from Maven Central, one node on loopback. Needs Java 17 and, for the first start, Maven. */
export const startKafka = (options: ServerOptions): Promise<LocalServer> =>
  startLocalServer(kafkaServer, options);
