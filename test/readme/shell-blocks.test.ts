import { describe, expect, test } from '#jest';
import { commandsInSentences, commandsOf } from './shell-blocks.ts';

const page = (...lines: string[]): string => lines.join('\n');

describe('commands of a page', () => {
  test('are one per line, without comments, or continue inside quotation marks or after a backslash', () => {
    expect(
      commandsOf(
        page(
          '```sh',
          'one "a # b"  # told',
          '# only told',
          '',
          "two '{",
          "  x }' y",
          'three \\',
          '  4',
          '```',
        ),
      ),
    ).toEqual(['one "a # b"', "two '{\n  x }' y", 'three \\\n  4']);
  });

  test('drawings are not commands; blocks of other kinds are rejected', () => {
    expect(commandsOf(page('```', 'a --> b', '```'))).toEqual([]);
    expect(() => commandsOf(page('```bash', 'rm x', '```'))).toThrow('"bash"');
    expect(() => commandsOf(page('```sh', 'rm x'))).toThrow('does not end');
    expect(() => commandsOf(page('```sh', "rm 'x", '```'))).toThrow('quotation');
  });

  test('are also found in sentences', () => {
    expect(commandsInSentences(page('Say `npm start` or `PORT`.', '```sh', 'npm ci', '```'))).toEqual([
      'npm start',
    ]);
  });
});
