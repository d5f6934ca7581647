import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '#jest';
import { createLogger, logOutput, MAX_WAITING_LOG_BYTES } from './logger.ts';

interface Line {
  readonly msg: string;
  readonly level: number;
  readonly suppressed?: number;
  readonly n?: number;
}

/** A logger whose lines are collected, with a clock that the test sets. */
function watched(level = 'info') {
  const lines: Line[] = [];
  let at = 1_000;
  const logger = createLogger(
    level,
    { write: (text: string) => void lines.push(JSON.parse(text)) },
    () => at,
  );
  return {
    logger,
    lines,
    pass: (ms: number): void => {
      at += ms;
    },
  };
}

describe('log lines that outsiders can cause', () => {
  test('are limited to twenty per message and second, and the next one says how many were suppressed', () => {
    const { logger, lines, pass } = watched();
    for (let n = 0; n < 1_000; n++) logger.warn({ n }, 'answered 5xx');
    expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    logger.child({ part: 'other' }).warn({ n: 1_000 }, 'answered 5xx');
    expect(lines).toHaveLength(20);
    pass(1_000);
    logger.warn({ n: 1_001 }, 'answered 5xx');
    logger.warn({ n: 1_002 }, 'answered 5xx');
    expect(lines.slice(20)).toMatchObject([{ n: 1_001, suppressed: 981 }, { n: 1_002 }]);
    expect(lines.at(-1)).not.toHaveProperty('suppressed');
  });

  test('do not suppress other messages, fatal lines or enabled debug lines', () => {
    const { logger, lines } = watched('debug');
    for (let n = 0; n < 100; n++) {
      logger.error('answered 5xx');
      logger.fatal('the end');
      logger.debug('a detail');
    }
    logger.warn('another message');
    const count = (msg: string): number => lines.filter((line) => line.msg === msg).length;
    expect([count('answered 5xx'), count('the end'), count('a detail'), count('another message')]).toEqual([
      20, 100, 100, 1,
    ]);
  });

  test('share one count if there are too many different messages', () => {
    const { logger, lines } = watched();
    for (let n = 0; n < 5_000; n++) logger.warn(`text ${n}`);
    expect(lines).toHaveLength(1_020);
  });

  test('are buffered for a slow reader up to a byte limit, and dropped beyond it', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'logger-'));
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const output = logOutput(openSync(pipe, constants.O_WRONLY));
    let dropped = 0;
    output.on('drop', () => {
      dropped++;
    });
    const line = `${'x'.repeat(64 * 1024)}\n`;
    const lines = Math.ceil((2 * MAX_WAITING_LOG_BYTES) / line.length);
    for (let n = 0; n < lines; n++) output.write(line);
    const written = (lines - dropped) * line.length;
    // A writer blocked by the pipe would keep the test's process alive, so the pipe is drained before any assertion.
    const drain = setInterval(() => readAll(reader), 1);
    const closed = new Promise((resolve) => output.once('close', resolve));
    output.end();
    await closed;
    clearInterval(drain);
    closeSync(reader);
    await rm(folder, { recursive: true });
    expect(dropped).toBeGreaterThan(lines / 3);
    expect(written).toBeLessThan(MAX_WAITING_LOG_BYTES + 10 * line.length);
  });
});

function readAll(fileDescriptor: number): void {
  const buffer = Buffer.alloc(1024 * 1024);
  try {
    while (readSync(fileDescriptor, buffer) > 0);
  } catch {
    // Nothing more to read for now.
  }
}
