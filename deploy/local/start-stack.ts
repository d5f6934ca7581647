import type { KafkaShape } from './kafka/kafka-cluster.ts';
import { makeKeys } from './keys.ts';
import { type LocalServer, startLocalServer } from './server/local-server.ts';
import { SERVER_NAMES, SERVER_SETTINGS, type ServerName } from './server-names.ts';
import type { StackFolder } from './stack-folder.ts';
import { furtherSettings, type StackMember, shapeStack, stackMembers } from './stack-members.ts';

interface StackOptions {
  /** Defaults to the shape the folder was created with, or one broker without TLS. */
  readonly kafka?: KafkaShape;
  readonly outlivesParent: boolean;
  readonly report: (line: string) => void;
  readonly onUp: (server: LocalServer, tookMs: number) => void;
}

interface Stack {
  /** With several brokers, Kafka is the first one. */
  readonly servers: Readonly<Record<ServerName, LocalServer>>;
  readonly brokers: readonly LocalServer[];
  /** Settings of the program: addresses of the servers and key files. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Starts the servers of a stack that are not running. If one fails, the others keep running, and the error names it.
 */
export async function startStack(folder: StackFolder, options: StackOptions): Promise<Stack> {
  if (options.kafka !== undefined) await shapeStack(folder, options.kafka);
  const startOne = async ({ name, server, kind }: StackMember) => {
    const started = performance.now();
    const running = await startLocalServer(kind, {
      folder: folder.server(name),
      logFile: folder.log(name),
      outlivesParent: options.outlivesParent,
      report: options.report,
    });
    options.onUp(running, performance.now() - started);
    return { server, running };
  };
  const settled = await Promise.allSettled(stackMembers(folder).map(startOne));
  const failures = settled.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as Error).message] : [],
  );
  if (failures.length > 0) throw new Error(failures.join('\n'));
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const runningOf = (server: ServerName): LocalServer[] =>
    started.flatMap((each) => (each.server === server ? [each.running] : []));
  const servers = Object.fromEntries(
    SERVER_NAMES.map((server) => [server, runningOf(server)[0]]),
  ) as Stack['servers'];
  return {
    servers,
    brokers: runningOf('kafka'),
    settings: {
      ...Object.fromEntries(SERVER_NAMES.map((server) => [SERVER_SETTINGS[server], servers[server].address])),
      ...furtherSettings(folder),
      ...makeKeys(folder.keys),
    },
  };
}
