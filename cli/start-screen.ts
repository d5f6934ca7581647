import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { visible } from './command/output.ts';

/** A line of the block: a label, the value to copy, and a remark. */
export type BlockLine = readonly [label: string, value: string, remark?: string | undefined];

/** Output of `cas start` on standard output. */
export interface StartScreen {
  /** Reports a finished step that took a while. */
  done(what: string): void;
  /** Shows the one block to read, and the footer below it. */
  ready(lines: readonly BlockLine[], footer: string): void;
  stopping(): void;
  /** Ends an incomplete line before other output. */
  endLine(): void;
}

/** The fields of standard output that are used. */
interface ScreenOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const LABEL_WIDTH = 14;
const DEFAULT_COLUMNS = 80;

export const QUIET: StartScreen = { done: nothing, ready: nothing, stopping: nothing, endLine: nothing };

function nothing(): void {}

/** On a terminal: the steps of the start, the block and the end; elsewhere only the block. */
export function openScreen(output: ScreenOutput): StartScreen {
  const write = (text: string): void => void output.write(text);
  if (output.isTTY !== true) {
    return { ...QUIET, ready: (lines, footer) => write(blockOf(lines, footer, Number.POSITIVE_INFINITY)) };
  }
  let isOpen = true;
  const endLine = (): void => {
    if (isOpen) write('\n');
    isOpen = false;
  };
  write(`\n  Compliance Audit Service ${version()}`);
  return {
    done: (what) => {
      write(isOpen ? `   ${what}` : `  ${what}\n`);
    },
    ready: (lines, footer) => {
      endLine();
      write(`\n${blockOf(lines, footer, output.columns ?? DEFAULT_COLUMNS)}\n`);
    },
    stopping: () => {
      isOpen = true;
      endLine();
      write('  Shutting down… (Ctrl-C again to force)\n');
    },
    endLine,
  };
}

/** A remark is next to its value where there is room, else below it. */
function blockOf(lines: readonly BlockLine[], footer: string, columns: number): string {
  const texts = lines.map(([label, value, remark]) => {
    const start = `  ➜ ${label.padEnd(LABEL_WIDTH - 2)}${visible(value)}`;
    if (remark === undefined) return start;
    const oneLine = `${start}  (${remark})`;
    return oneLine.length <= columns ? oneLine : `${start}\n${' '.repeat(LABEL_WIDTH + 2)}(${remark})`;
  });
  return `${texts.join('\n')}\n\n  ${visible(footer)}\n`;
}

function version(): string {
  const file = path.join(packageRoot(), 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
