import { expect, test } from '#jest';
import { createLogger } from '#platform/telemetry/logger.ts';
import { logText } from './logs.ts';

/** A logger's lines as text, without the time. */
function texts(log: (logger: ReturnType<typeof createLogger>) => void, isColoured = false): string {
  let text = '';
  const write = (line: string): void => {
    text += logText(line, isColoured);
  };
  log(createLogger('trace', { write }));
  return text.replace(/^\d\d:\d\d:\d\d /gm, '');
}

test('a line has level, message and fields; values with spaces are quoted', () => {
  const text = texts((logger) =>
    logger.info({ partition: 3, topic: 'audit.ledger', reason: 'two words' }, 'moved'),
  );
  expect(text).toBe('info  moved  partition=3  topic=audit.ledger  reason="two words"\n');
});

test('an error has its stack below, a warning only its message', () => {
  const err = new Error('it broke');
  expect(texts((logger) => logger.error({ err }, 'stopped'))).toMatch(
    /^error stopped {2}error="it broke"\n {4}at \S.*logs\.test/,
  );
  expect(texts((logger) => logger.warn({ err }, 'retrying'))).toBe('warn  retrying  error="it broke"\n');
});

test('warnings and errors are coloured where colours are enabled', () => {
  expect(texts((logger) => logger.warn('careful'), true)).toBe('\u001b[33mwarn \u001b[39m careful\n');
  expect(texts((logger) => logger.info('fine'), true)).toBe('info  fine\n');
});

test('control characters are escaped, and secrets stay removed', () => {
  const attack = 'x\u001b[2J\u009b2J\r\nfatal forged';
  const text = texts((logger) =>
    logger.warn({ [attack]: attack, err: new Error(attack), key: 'cas_1' }, attack),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be printed
  expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  expect(text).toContain('key="[removed]"');
});
