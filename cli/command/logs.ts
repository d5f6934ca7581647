import type { Settings } from '#platform/config/settings.ts';
import { logOutput } from '#platform/telemetry/logger.ts';
import { visible } from './output.ts';

interface Logs {
  /** Receives JSON lines, and writes them in the format from the settings. */
  readonly output: { write(line: string): void };
  readonly isText: boolean;
}

/** Output for a service's log: text on a terminal, else JSON. `before` is called before each text. */
export function openLogs({ logFormat }: Pick<Settings, 'logFormat'>, before = (): void => undefined): Logs {
  const isTerminal = process.stdout.isTTY === true && process.stderr.isTTY === true;
  const isText = logFormat === null ? isTerminal : logFormat === 'text';
  if (!isText) return { output: logOutput(), isText };
  const isColoured = process.stderr.isTTY === true && !process.env.NO_COLOR;
  const write = (line: string): void => {
    before();
    process.stderr.write(logText(line, isColoured));
  };
  return { output: { write }, isText };
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const WARN = 40;
const ERROR = 50;
const YELLOW = '\u001b[33m';
const RED = '\u001b[31m';
const PLAIN = '\u001b[39m';

interface LogLine {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

/** A JSON line as text: local time, level, message and fields, with an error's stack below. */
export function logText(json: string, isColoured: boolean): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LogLine;
  const name = (LEVELS[level] ?? String(level)).padEnd(5);
  const colour = level >= ERROR ? RED : YELLOW;
  const shownLevel = isColoured && level >= WARN ? colour + name + PLAIN : name;
  const shownFields = Object.entries({ ...fields, ...(err === undefined ? {} : { error: err.message }) })
    .map(([field, value]) => `  ${visible(field)}=${shown(value)}`)
    .join('');
  const clock = new Date(time).toTimeString().slice(0, 8);
  const stack = level >= ERROR ? stackOf(err?.stack) : '';
  return `${clock} ${shownLevel} ${visible(msg)}${shownFields}\n${stack}`;
}

const shown = (value: unknown): string =>
  visible(typeof value === 'string' && /^[\w.:/@-]+$/.test(value) ? value : (JSON.stringify(value) ?? ''));

const stackOf = (stack = ''): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `    ${visible(line.trim())}\n`)
    .join('');
