import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import '../../platform/event-log/kafka-client-timers.ts';
import { packageRoot } from '../../platform/runtime/package-root.ts';
import { type Download, downloadFolder, provideDownload } from './downloads.ts';
import { type LocalPart, type PartKind, type PartOptions, startLocalPart } from './local-part.ts';
import { requireJava } from './tools.ts';

/** The version also stands in kafka/pom.xml. */
const KAFKA: Download = {
  name: 'kafka',
  version: '4.3.1',
  goal: 'copy-dependencies',
  size: '44 MB',
};

/** One broker that is its own controller. What a client creates is what there is: no topic by accident. */
const configuration = (folder: string, [broker, controller]: readonly number[]): string =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': '1',
    listeners: `BROKER://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `BROKER://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'BROKER',
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'log.dirs': dataOf(folder),
    'num.network.threads': '2',
    'num.io.threads': '2',
    'num.partitions': '1',
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    'log.segment.bytes': '16777216',
    // A killed broker may come back only when its session is over (9 s by default).
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

const dataOf = (folder: string): string => path.join(folder, 'data');
const configurationOf = (folder: string): string => path.join(folder, 'server.properties');

const java = (main: string, args: readonly string[]): string[] => [
  '-Xms64m',
  '-Xmx384m',
  // A start takes half the processor time; the peak speed that this gives up is far above what one machine sends.
  '-XX:TieredStopAtLevel=1',
  '-XX:ActiveProcessorCount=2',
  `-Dlog4j2.configurationFile=${path.join(packageRoot(), 'deploy/local/kafka/log4j2.properties')}`,
  '-cp',
  path.join(downloadFolder(KAFKA), '*'),
  main,
  ...args,
];

export const kafkaPart: PartKind = {
  name: 'kafka',
  portCount: 2,
  startLimitMs: 90_000,
  stopLimitMs: 15_000,
  provide: async (report) => {
    requireJava(`Kafka ${KAFKA.version}`);
    await provideDownload(KAFKA, report);
  },
  address: ({ ports }) => `127.0.0.1:${ports[0]}`,
  prepare: async (folder, { ports }) => {
    writeFileSync(configurationOf(folder), configuration(folder, ports), { mode: 0o600 });
    const mark = path.join(folder, 'formatted');
    if (existsSync(mark)) return;
    // Half a format is no format: what an aborted one left holds no data yet.
    rmSync(dataOf(folder), { recursive: true, force: true });
    // In one argument: an id may begin with a hyphen.
    const format = ['format', `--cluster-id=${randomBytes(16).toString('base64url')}`];
    await promisify(execFile)(
      'java',
      java('kafka.tools.StorageTool', [...format, '--config', configurationOf(folder)]),
    );
    writeFileSync(mark, '');
  },
  program: (folder) => ({ file: 'java', args: java('kafka.Kafka', [configurationOf(folder)]) }),
  ask: async ({ address }) => {
    const client = new Kafka({
      brokers: [address],
      logLevel: logLevel.NOTHING,
      connectionTimeout: 2_000,
      requestTimeout: 5_000,
      retry: { retries: 0 },
    });
    const admin = client.admin();
    try {
      await admin.connect();
      const { brokers } = await admin.describeCluster();
      if (brokers.length === 0) throw new Error('the broker has not joined its cluster yet');
    } finally {
      await admin.disconnect();
    }
  },
};

/** Apache Kafka from Maven Central, one node on loopback. Needs Java 17 and, for the first start, Maven. */
export const startKafka = (options: PartOptions): Promise<LocalPart> => startLocalPart(kafkaPart, options);
