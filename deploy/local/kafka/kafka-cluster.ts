import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerKind } from '../server/local-server.ts';
import { freePort } from '../server/ports.ts';
import { newPassword } from '../server/server-file.ts';
import { certificatesIn, makeCertificates } from './certificates.ts';
import { askBroker, newClusterId } from './kafka.ts';
import { brokerProgram, prepareBroker, provideKafka } from './kafka-program.ts';
import { type KafkaNode, kafkaSettings } from './kafka-settings.ts';

/** Shape of a stack's Kafka. The default is one broker without TLS. */
export interface KafkaShape {
  readonly brokers: 1 | 3;
  readonly tls: boolean;
}

/** A Kafka cluster of any other shape, stored in a file with mode 0600 because it contains the password. */
interface KafkaCluster extends KafkaShape {
  readonly clusterId: string;
  /** Password of clients (SCRAM) and of the brokers' certificate stores. */
  readonly password: string;
  readonly nodes: readonly KafkaNode[];
}

const USER = 'cas';
const clusterFile = (root: string): string => path.join(root, 'kafka-cluster.json');
const certificateFolder = (root: string): string => path.join(root, 'kafka-certificates');

/** Files of a cluster in a stack's folder, next to the folders of its brokers. */
export const clusterEntries = (root: string): string[] => [clusterFile(root), certificateFolder(root)];

const addressOf = ({ ports }: KafkaNode): string => `127.0.0.1:${ports[0]}`;

/** Null when the stack has one broker without TLS, or none yet. */
export function readCluster(root: string): KafkaCluster | null {
  const file = clusterFile(root);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KafkaCluster) : null;
}

/** Brokers reference each other's ports, so all ports are chosen before the first start and never change. */
export async function createCluster(root: string, { brokers, tls }: KafkaShape): Promise<KafkaCluster> {
  const chosen = new Set<number>();
  const portsEach = tls ? 3 : 2;
  while (chosen.size < brokers * portsEach) chosen.add(await freePort());
  const ports = [...chosen];
  const nodes = Array.from({ length: brokers }, (_, index) => ({
    id: index + 1,
    ports: ports.slice(index * portsEach, (index + 1) * portsEach),
  }));
  const cluster = { brokers, tls, clusterId: newClusterId(), password: newPassword(), nodes };
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (tls) await makeCertificates(certificateFolder(root), cluster.password);
  // Written last, so that an aborted creation starts over.
  const file = clusterFile(root);
  writeFileSync(`${file}.draft`, `${JSON.stringify(cluster, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.draft`, file);
  return cluster;
}

const certificatesOf = (root: string, { tls, password }: KafkaCluster) =>
  tls ? certificatesIn(certificateFolder(root), password) : null;

/** Settings that clients of the cluster need. */
export const clusterSettings = (root: string, cluster: KafkaCluster): Record<string, string> => ({
  KAFKA_BROKERS: cluster.nodes.map(addressOf).join(','),
  KAFKA_REPLICATION_FACTOR: String(cluster.brokers),
  ...(cluster.tls
    ? {
        KAFKA_SSL_CA: certificatesIn(certificateFolder(root), cluster.password).authority,
        KAFKA_SASL_MECHANISM: 'scram-sha-512',
        KAFKA_SASL_USERNAME: USER,
        KAFKA_SASL_PASSWORD: cluster.password,
      }
    : {}),
});

/** One broker of a cluster. */
export function clusterBroker(root: string, cluster: KafkaCluster, node: KafkaNode): ServerKind {
  return {
    name: `kafka-${node.id}`,
    portCount: node.ports.length,
    ports: node.ports,
    // Three brokers that start together share the processors.
    startLimitMs: 120_000,
    stopLimitMs: 15_000,
    provide: provideKafka,
    address: () => addressOf(node),
    prepare: (folder) => {
      const { clusterId, nodes, password } = cluster;
      const certificates = certificatesOf(root, cluster);
      const user = `SCRAM-SHA-512=[name=${USER},password=${password}]`;
      return prepareBroker(folder, kafkaSettings({ folder, node, nodes, certificates }), {
        clusterId,
        secretArguments: certificates === null ? [] : ['--add-scram', user],
      });
    },
    program: brokerProgram,
    ask: ({ address }) => askBroker(node.id, { brokers: [address], ...clientAccess(root, cluster) }),
  };
}

/** Credentials as kafkajs options, for tasks that the program does not do itself. Null when none are needed. */
export function clientAccess(root: string, cluster: KafkaCluster) {
  const certificates = certificatesOf(root, cluster);
  if (certificates === null) return null;
  return {
    ssl: { ca: [readFileSync(certificates.authority, 'utf8')] },
    sasl: { mechanism: 'scram-sha-512' as const, username: USER, password: cluster.password },
  };
}
