import {
  clusterBroker,
  clusterSettings,
  createCluster,
  type KafkaShape,
  readCluster,
} from './kafka-cluster.ts';
import type { PartKind } from './local-part.ts';
import { readPartMemory } from './part-file.ts';
import { PART_NAMES, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';
import type { StackFolder } from './stack-folder.ts';

/** One process of a stack, with a folder and a log of its own. Each part is one, but for a Kafka of several brokers. */
export interface StackMember {
  readonly name: string;
  readonly part: PartName;
  readonly kind: PartKind;
}

const PLAIN: KafkaShape = { brokers: 1, tls: false };

export function stackMembers(folder: StackFolder): StackMember[] {
  const cluster = readCluster(folder.root);
  return PART_NAMES.flatMap((part): StackMember[] => {
    if (part !== 'kafka' || cluster === null) return [{ name: part, part, kind: PARTS[part] }];
    return cluster.nodes.map((node) => {
      const kind = clusterBroker(folder.root, cluster, node);
      return { name: kind.name, part, kind };
    });
  });
}

/** Settings that a part's address alone does not say. */
export function furtherSettings(folder: StackFolder): Record<string, string> {
  const cluster = readCluster(folder.root);
  return cluster === null ? {} : clusterSettings(folder.root, cluster);
}

/** Gives a new stack its shape, for good. Rejects when it has another one already. */
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
  return readCluster(folder.root) ?? (readPartMemory(folder.part('kafka')) === null ? null : PLAIN);
}

const isSame = (one: KafkaShape, other: KafkaShape): boolean =>
  one.brokers === other.brokers && one.tls === other.tls;

const flagsOf = ({ brokers, tls }: KafkaShape): string => `--brokers ${brokers}${tls ? ' --tls' : ''}`;
