import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { GenericContainer, getContainerRuntimeClient } from 'testcontainers';
import type { LocalServer } from './server/local-server.ts';
import { freePort } from './server/ports.ts';
import { newPassword, type ServerMemory } from './server/server-file.ts';
import { SERVER_NAMES, SERVER_SETTINGS, type ServerName } from './server-names.ts';
import { SERVERS } from './servers.ts';

interface Image {
  readonly name: string;
  /** Port inside the container. */
  readonly port: number;
  readonly environment?: Record<string, string>;
  readonly command?: string[];
}

/** Settings that make the images behave like the local servers; `hostPort` is the port for clients. */
const IMAGES: Record<ServerName, (hostPort: number, password: string) => Image> = {
  kafka: (hostPort) => ({
    name: 'apache/kafka:4.3.1',
    port: 9092,
    environment: {
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'BROKER://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093',
      KAFKA_ADVERTISED_LISTENERS: `BROKER://127.0.0.1:${hostPort}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'BROKER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@127.0.0.1:9093',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    },
  }),
  registry: () => ({
    name: 'apicurio/apicurio-registry-mem:2.6.13.Final',
    port: 8080,
    environment: {
      REGISTRY_DATASOURCE_URL: 'jdbc:h2:file:/tmp/registry;DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0',
    },
  }),
  redis: (_, password) => ({
    name: 'redis:7.4.11-alpine',
    port: 6379,
    command: [
      ...['redis-server', '--requirepass', password, '--appendonly', 'yes', '--appendfsync', 'always'],
      ...['--save', '', '--maxmemory-policy', 'noeviction'],
    ],
  }),
  clickhouse: (_, password) => ({
    name: 'clickhouse/clickhouse-server:26.7.5.10',
    port: 8123,
    environment: { CLICKHOUSE_USER: 'default', CLICKHOUSE_PASSWORD: password },
  }),
};

const START_LIMIT_MS = 180_000;
const POLL_MS = 200;

/**
 * Starts a server as a container that ends with this process. Docker publishes its port on all interfaces, and Kafka
 * and the registry have no password: use it only behind a firewall.
 */
export async function startContainer(name: ServerName): Promise<LocalServer & { readonly name: ServerName }> {
  const client = await getContainerRuntimeClient().catch((error: Error) => {
    throw new Error(
      `no container engine answers (${error.message}). Start Docker, or leave --containers out: the stack runs without one`,
    );
  });
  const port = await freePort();
  const password = newPassword();
  const image = IMAGES[name](port, password);
  let description = new GenericContainer(image.name)
    .withEnvironment(image.environment ?? {})
    .withExposedPorts({ container: image.port, host: port });
  if (image.command) description = description.withCommand(image.command);
  const started = await description.start();
  const container = client.container.getById(started.getId());
  const address = SERVERS[name].address({ ports: [port], password });
  const memory: ServerMemory = { name, address, ports: [port], password, process: null };

  let pid = 0;
  const answers = async (): Promise<void> => {
    const deadline = Date.now() + START_LIMIT_MS;
    const ask = (): Promise<unknown> => SERVERS[name].ask(memory).catch((error: unknown) => error);
    for (let error = await ask(); error !== undefined; error = await ask()) {
      if (Date.now() > deadline)
        throw new Error(`the container of ${name} does not answer`, { cause: error });
      await sleep(POLL_MS);
    }
    pid = (await container.inspect()).State.Pid;
  };
  const isUp = async (): Promise<boolean> => (await container.inspect()).State.Running;
  const stop = async (): Promise<void> => {
    if (await isUp()) await container.stop({ t: Math.ceil(SERVERS[name].stopLimitMs / 1000) });
  };
  await answers();
  return {
    name,
    address,
    get pid() {
      return pid;
    },
    kill: async () => {
      if (await isUp()) await container.kill();
      await container.wait();
    },
    restart: async () => {
      await stop();
      await container.start();
      await answers();
    },
    stop,
  };
}

/** Runs all servers as containers and prints their settings until Ctrl-C. */
export async function runContainers(
  keys: Readonly<Record<string, string>>,
  print: (line: string) => void,
): Promise<void> {
  const settled = await Promise.allSettled(SERVER_NAMES.map(startContainer));
  const servers = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  try {
    const failure = settled.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
    for (const server of servers) print(`export ${SERVER_SETTINGS[server.name]}='${server.address}'`);
    for (const [name, value] of Object.entries(keys)) print(`export ${name}='${value}'`);
    print('# Ctrl-C ends the containers.');
    const keepAlive = setInterval(() => {}, 60_000);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    clearInterval(keepAlive);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
