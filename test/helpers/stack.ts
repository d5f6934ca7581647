import { rmSync } from 'node:fs';
import { describe } from '@jest/globals';
import type { KafkaShape } from '../../deploy/local/kafka-cluster.ts';
import type { LocalPart } from '../../deploy/local/local-part.ts';
import type { PartName } from '../../deploy/local/part-names.ts';
import { stackFolder } from '../../deploy/local/stack-folder.ts';
import { startStack } from '../../deploy/local/start-stack.ts';
import { requireJava, requireMaven, requireRedis, ToolMissing } from '../../deploy/local/tools.ts';
import { makeRunFolder } from '../real/run-folder.ts';

export interface TestStack {
  readonly parts: Readonly<Record<PartName, LocalPart>>;
  readonly brokers: readonly LocalPart[];
  /** Environment of the program's processes: the four addresses, and files with keys that all of them share. */
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Ends all parts and removes their data. */
  stop(): Promise<void>;
}

/**
 * A Kafka, a registry, a Redis and a ClickHouse of this test alone, on free ports and with no data. They end with
 * this process at the latest. Takes about eight seconds on two cores.
 */
export async function startTestStack(kafka: KafkaShape = { brokers: 1, tls: false }): Promise<TestStack> {
  const folder = makeRunFolder();
  const started: LocalPart[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((part) => part.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const stack = await startStack(stackFolder(folder), {
      kafka,
      outlivesParent: false,
      report: (line) => process.stderr.write(`${line}\n`),
      onUp: (part) => started.push(part),
    });
    return { ...stack, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What keeps a stack from being started on this machine; null when nothing does. */
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

/** Tests that start stacks; skipped with the reason in their name where none can be had. */
export function describeOnStack(name: string, body: () => void): void {
  const missing = missingTool();
  if (missing === null) describe(name, body);
  else describe.skip(`${name} (skipped: ${missing})`, body);
}
