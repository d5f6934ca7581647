import type { KafkaShape } from './kafka-cluster.ts';
import { makeKeys } from './keys.ts';
import { type LocalPart, startLocalPart } from './local-part.ts';
import { PART_NAMES, PART_SETTINGS, type PartName } from './part-names.ts';
import type { StackFolder } from './stack-folder.ts';
import { furtherSettings, type StackMember, shapeStack, stackMembers } from './stack-members.ts';

export interface StackOptions {
  /** Without it what the folder was made with, or one broker without TLS. */
  readonly kafka?: KafkaShape;
  readonly outlivesParent: boolean;
  readonly report: (line: string) => void;
  readonly onUp: (part: LocalPart, tookMs: number) => void;
}

export interface Stack {
  /** Of several brokers the first. */
  readonly parts: Readonly<Record<PartName, LocalPart>>;
  readonly brokers: readonly LocalPart[];
  /** Of the program: addresses of the parts and files with keys. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts those parts of a stack that do not run. When one cannot be started the rest stay, and the error names it. */
export async function startStack(folder: StackFolder, options: StackOptions): Promise<Stack> {
  if (options.kafka !== undefined) await shapeStack(folder, options.kafka);
  const startOne = async ({ name, part, kind }: StackMember) => {
    const started = performance.now();
    const running = await startLocalPart(kind, {
      folder: folder.part(name),
      logFile: folder.log(name),
      outlivesParent: options.outlivesParent,
      report: options.report,
    });
    options.onUp(running, performance.now() - started);
    return { part, running };
  };
  const settled = await Promise.allSettled(stackMembers(folder).map(startOne));
  const failures = settled.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as Error).message] : [],
  );
  if (failures.length > 0) throw new Error(failures.join('\n'));
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const runningOf = (part: PartName): LocalPart[] =>
    started.flatMap((each) => (each.part === part ? [each.running] : []));
  const parts = Object.fromEntries(PART_NAMES.map((part) => [part, runningOf(part)[0]])) as Stack['parts'];
  return {
    parts,
    brokers: runningOf('kafka'),
    settings: {
      ...Object.fromEntries(PART_NAMES.map((part) => [PART_SETTINGS[part], parts[part].address])),
      ...furtherSettings(folder),
      ...makeKeys(folder.keys),
    },
  };
}
