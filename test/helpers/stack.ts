import { rmSync } from 'node:fs';
import { describe } from '#jest';
import type { KafkaShape } from '../../deploy/local/kafka/kafka-cluster.ts';
import type { LocalServer } from '../../deploy/local/server/local-server.ts';
import { requireJava, requireMaven, requireRedis, ToolMissing } from '../../deploy/local/server/tools.ts';
import type { ServerName } from '../../deploy/local/server-names.ts';
import { stackFolder } from '../../deploy/local/stack-folder.ts';
import { startStack } from '../../deploy/local/start-stack.ts';
import { makeRunFolder } from '../real/run-folder.ts';

export interface TestStack {
  readonly servers: Readonly<Record<ServerName, LocalServer>>;
  readonly brokers: readonly LocalServer[];
  /** Environment of the program's processes: the four addresses and the shared key files. */
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Ends all servers and removes their data. */
  stop(): Promise<void>;
}

/**
 * A Kafka, a registry, a Redis and a ClickHouse for this test only, on free ports and without data. They end with this
 * process at the latest. Takes about eight seconds on two cores.
 */
export async function startTestStack(kafka: KafkaShape = { brokers: 1, tls: false }): Promise<TestStack> {
  const folder = makeRunFolder();
  const started: LocalServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const stack = await startStack(stackFolder(folder), {
      kafka,
      outlivesParent: false,
      report: (line) => process.stderr.write(`${line}\n`),
      onUp: (server) => started.push(server),
    });
    return { ...stack, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Why this machine cannot start a stack; null when it can. */
function missingTool(): string | null {
  try {
    requireJava('Kafka');
    requireMaven('Kafka');
    requireRedis();
    return null;
  } catch (error) {
    if (error instanceof ToolMissing) return error.message;
    throw error;
  }
}

/** Tests that start stacks; skipped with the reason in their name where that is impossible. */
export function describeOnStack(name: string, body: () => void): void {
  const missing = missingTool();
  if (missing === null) describe(name, body);
  else describe.skip(`${name} (skipped: ${missing})`, body);
}
