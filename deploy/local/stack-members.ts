import {
  clusterBroker,
  clusterSettings,
  createCluster,
  type KafkaShape,
  readCluster,
} from './kafka/kafka-cluster.ts';
import type { ServerKind } from './server/local-server.ts';
import { readServerMemory } from './server/server-file.ts';
import { SERVER_NAMES, type ServerName } from './server-names.ts';
import { SERVERS } from './servers.ts';
import type { StackFolder } from './stack-folder.ts';

/**
 * One process of a stack, with its own folder and log. Each server is one member, except a Kafka with several brokers.
 */
export interface StackMember {
  readonly name: string;
  readonly server: ServerName;
  readonly kind: ServerKind;
}

const PLAIN: KafkaShape = { brokers: 1, tls: false };

export function stackMembers(folder: StackFolder): StackMember[] {
  const cluster = readCluster(folder.root);
  return SERVER_NAMES.flatMap((server): StackMember[] => {
    if (server !== 'kafka' || cluster === null) return [{ name: server, server, kind: SERVERS[server] }];
    return cluster.nodes.map((node) => {
      const kind = clusterBroker(folder.root, cluster, node);
      return { name: kind.name, server, kind };
    });
  });
}

/** Settings in addition to the servers' addresses. */
export function furtherSettings(folder: StackFolder): Record<string, string> {
  const cluster = readCluster(folder.root);
  return cluster === null ? {} : clusterSettings(folder.root, cluster);
}

/** Fixes the shape of a new stack. Rejects when the stack already has another shape. */
export async function shapeStack(folder: StackFolder, wanted: KafkaShape): Promise<void> {
  const known = shapeOf(folder);
  if (known === null) {
    if (!isSame(wanted, PLAIN)) await createCluster(folder.root, wanted);
    return;
  }
  if (isSame(wanted, known)) return;
  throw new Error(
    `the stack in ${folder.root} was made with ${flagsOf(known)}, not with ${flagsOf(wanted)}. Start it without these flags, delete its data first ("npm run stack -- stop --delete-data"), or name another folder with STACK_DIR`,
  );
}

/** Null when it was never started. */
function shapeOf(folder: StackFolder): KafkaShape | null {
  return readCluster(folder.root) ?? (readServerMemory(folder.server('kafka')) === null ? null : PLAIN);
}

const isSame = (one: KafkaShape, other: KafkaShape): boolean =>
  one.brokers === other.brokers && one.tls === other.tls;

const flagsOf = ({ brokers, tls }: KafkaShape): string => `--brokers ${brokers}${tls ? ' --tls' : ''}`;
