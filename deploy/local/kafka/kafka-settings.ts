import { dataOf } from './kafka-program.ts';

/** One broker, which is also a controller. */
export interface KafkaNode {
  readonly id: number;
  /** Ports for clients and controllers, and with TLS a third one for the other brokers. */
  readonly ports: readonly number[];
}

/** Paths of the certificates: the authority's, and one shared by all brokers. */
export interface BrokerCertificates {
  readonly authority: string;
  readonly store: string;
  readonly storePassword: string;
}

interface KafkaSettings {
  readonly folder: string;
  readonly node: KafkaNode;
  /** All brokers of the cluster, including this one. */
  readonly nodes: readonly KafkaNode[];
  readonly certificates: BrokerCertificates | null;
}

const at = (port: number | undefined): string => `127.0.0.1:${port}`;

/**
 * Brokers that are also controllers. Topics are never created automatically. Three brokers keep three replicas of
 * internal topics with two in sync, as in production.
 */
export function kafkaSettings({ folder, node, nodes, certificates }: KafkaSettings): Record<string, string> {
  const copies = String(nodes.length);
  const leastInSync = nodes.length >= 3 ? '2' : '1';
  const voters = nodes.map(({ id, ports }) => `${id}@${at(ports[1])}`);
  return {
    'process.roles': 'broker,controller',
    'node.id': String(node.id),
    ...(certificates === null ? plainListeners(node) : securedListeners(node, certificates)),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'BROKER',
    'controller.quorum.voters': voters.join(','),
    'log.dirs': dataOf(folder),
    'num.network.threads': '2',
    'num.io.threads': '2',
    'num.partitions': '1',
    'auto.create.topics.enable': 'false',
    'default.replication.factor': copies,
    'min.insync.replicas': leastInSync,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': leastInSync,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': leastInSync,
    'group.initial.rebalance.delay.ms': '0',
    'log.segment.bytes': '16777216',
    // A killed broker may only rejoin after its session has ended (9 s by default).
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
  };
}

const plainListeners = ({ ports: [broker, controller] }: KafkaNode): Record<string, string> => ({
  listeners: `BROKER://${at(broker)},CONTROLLER://${at(controller)}`,
  'advertised.listeners': `BROKER://${at(broker)}`,
  'listener.security.protocol.map': 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
});

/** Clients log in with SCRAM over TLS; brokers authenticate each other by certificate. Nothing is sent in clear. */
const securedListeners = (
  { ports: [client, controller, broker] }: KafkaNode,
  { authority, store, storePassword }: BrokerCertificates,
): Record<string, string> => ({
  listeners: `CLIENT://${at(client)},CONTROLLER://${at(controller)},BROKER://${at(broker)}`,
  'advertised.listeners': `CLIENT://${at(client)},BROKER://${at(broker)}`,
  'listener.security.protocol.map': 'CLIENT:SASL_SSL,CONTROLLER:SSL,BROKER:SSL',
  'listener.name.broker.ssl.client.auth': 'required',
  'listener.name.controller.ssl.client.auth': 'required',
  'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
  'listener.name.client.scram-sha-512.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  'ssl.keystore.type': 'PKCS12',
  'ssl.keystore.location': store,
  'ssl.keystore.password': storePassword,
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': authority,
});
