import { makeKeys } from './keys.ts';
import { type LocalPart, startLocalPart } from './local-part.ts';
import { PART_NAMES, PART_SETTINGS, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';
import type { StackFolder } from './stack-folder.ts';

export interface StackOptions {
  readonly outlivesParent: boolean;
  readonly report: (line: string) => void;
  readonly onUp: (part: LocalPart, tookMs: number) => void;
}

export interface Stack {
  readonly parts: Readonly<Record<PartName, LocalPart>>;
  /** Of the program: addresses of the parts and files with keys. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts those parts of a stack that do not run. When one cannot be started the rest stay, and the error names it. */
export async function startStack(folder: StackFolder, options: StackOptions): Promise<Stack> {
  const startOne = async (name: PartName): Promise<LocalPart> => {
    const started = performance.now();
    const part = await startLocalPart(PARTS[name], {
      folder: folder.part(name),
      logFile: folder.log(name),
      outlivesParent: options.outlivesParent,
      report: options.report,
    });
    options.onUp(part, performance.now() - started);
    return part;
  };
  const settled = await Promise.allSettled(PART_NAMES.map(startOne));
  const failures = settled.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as Error).message] : [],
  );
  if (failures.length > 0) throw new Error(failures.join('\n'));
  const parts = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  return {
    parts: Object.fromEntries(parts.map((part) => [part.name, part])) as Record<PartName, LocalPart>,
    settings: {
      ...Object.fromEntries(parts.map((part) => [PART_SETTINGS[part.name], part.address])),
      ...makeKeys(folder.keys),
    },
  };
}
