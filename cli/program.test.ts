import type { Command } from 'commander';
import { beforeEach, describe, expect, jest, test } from '#jest';
import { readSettings } from '#platform/config/settings.ts';
import { readArguments } from './command/arguments.ts';
import { createProgram } from './program.ts';

const COLUMNS = 80;

let program: Command;
beforeEach(() => {
  program = createProgram(() => readSettings({}));
});

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** Output of `--help` on a terminal with 80 columns. */
function helpOf(command: Command): string {
  let out = '';
  command.configureOutput({ getOutHelpWidth: () => COLUMNS, writeOut: (text) => (out += text) });
  command.outputHelp();
  return out;
}

/** Runs a command line; resolves to its standard error. */
async function errorOf(...args: string[]): Promise<string> {
  let err = '';
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
  try {
    await program.parseAsync(readArguments(program, args), { from: 'user' });
  } catch {
    return err;
  } finally {
    spy.mockRestore();
  }
  throw new Error(`cas ${args.join(' ')} succeeded`);
}

describe('help', () => {
  test('of every command fits 80 columns and has a description and an example', () => {
    const commands = allOf(program);
    expect(commands.length).toBeGreaterThan(30);
    for (const command of commands) {
      const help = helpOf(command);
      const name = command.name();
      expect([name, help.split('\n').filter((line) => line.length > COLUMNS)]).toEqual([name, []]);
      expect([name, help]).toEqual([name, expect.stringMatching(/\nExamples?:\n {2}\S/)]);
      expect([name, command.description()]).toEqual([name, expect.stringMatching(/\S/)]);
    }
  });

  test('lists the commands in groups, one line each, with three examples and the exit codes', () => {
    const help = helpOf(program);
    expect(help.match(/^(?:Run|Data|Evidence|Admin):$/gm)).toEqual(['Run:', 'Data:', 'Evidence:', 'Admin:']);
    const linesOf = (name: string): string[] =>
      help.split('\n').filter((line) => line.startsWith(`  ${name} `) || line.startsWith(`  ${name}, `));
    for (const command of program.commands)
      expect([command.name(), linesOf(command.name())]).toEqual([
        command.name(),
        [expect.stringContaining(`  ${command.summary()}`)],
      ]);
    expect(/Examples:\n((?: {2}.+\n)+)/.exec(help)![1]!.trim().split('\n')).toHaveLength(3);
    expect(help).toContain('130  stopped by Ctrl-C');
  });

  test.each([
    [
      ['help', 'ingest'],
      ['ingest', '--help'],
    ],
    [['help'], ['--help']],
    [[], ['--help']],
    [['accounts'], ['accounts', '--help']],
    [
      ['help', 'accounts', 'create'],
      ['accounts', 'create', '--help'],
    ],
    [
      ['accounts', 'help', 'create'],
      ['accounts', 'create', '--help'],
    ],
    // Groups that do something without a command, or have none.
    [['partitions'], ['partitions']],
    [
      ['witness', '--help'],
      ['witness', '--help'],
    ],
    [
      ['ingest', 'help'],
      ['ingest', 'help'],
    ],
    // Help for an unknown command is the error about it.
    [['help', 'ingst'], ['ingst']],
    [
      ['accounts', 'crate', '-h'],
      ['accounts', 'crate'],
    ],
  ])('cas %j is read as %j', (given, read) => {
    expect(readArguments(program, given)).toEqual(read);
  });
});

describe('a wrong command line prints one line', () => {
  test.each([
    [['ingst'], 'Unknown command "ingst". Did you mean "ingest"? (cas --help)'],
    [['nothing-like-it'], 'Unknown command "nothing-like-it". (cas --help)'],
    [['ingst', '--help'], 'Unknown command "ingst". Did you mean "ingest"? (cas --help)'],
    [['accounts', 'crate'], 'Unknown command "crate". Did you mean "create"? (cas accounts --help)'],
    [['partitions', 'acc'], 'Unknown command "acc". Did you mean "accept"? (cas partitions --help)'],
    [['ingest', 'f', '--urll', 'x'], 'Unknown option --urll. Did you mean --url? (cas ingest --help)'],
    [['export', '--risk', 'HIGH'], 'Unknown option --risk. Did you mean --risk-level? (cas export --help)'],
    [['ingest'], 'Missing argument <file>. (cas ingest --help)'],
    [['ingest', 'a', 'b'], 'Too many arguments: expected 1, got 2. (cas ingest --help)'],
    [['ingest', 'a', '--key'], 'Missing value: --key <key>. (cas ingest --help)'],
    [['verify', 'f'], 'Missing option --key <vkey...>. (cas verify --help)'],
    [
      ['keys', 'create', 'nobody'],
      'Invalid <customer-id> "nobody". Give an ID like 01993d5a-7c00-7000-8000-0000000000a7. "cas accounts list" shows all customers. (cas keys create --help)',
    ],
    [
      ['login', 'extra'],
      'Invalid <customer-id> "extra". Give an ID like 01993d5a-7c00-7000-8000-0000000000a7. "cas accounts list" shows all customers. (cas login --help)',
    ],
    [
      ['export', '--url', 'dead'],
      'Invalid --url "dead". Give an address like http://127.0.0.1:8080. (cas export --help)',
    ],
    [
      ['export', '-o', 'x', '--format', 'pdf'],
      'Invalid --format "pdf". Allowed choices are csv, json, ndjson, xlsx, parquet. (cas export --help)',
    ],
    [
      ['dead-letters', 'list', '--limit', '500'],
      'Invalid --limit "500". Give a whole number from 1 to 100. (cas dead-letters list --help)',
    ],
    [
      ['correlate', '--run', '01993d5a-7c00-7000-8000-0000000000a7', '--from', '2026-11-01'],
      '--run cannot be combined with --from. (cas correlate --help)',
    ],
  ])('cas %j', async (args, said) => {
    expect(await errorOf(...args)).toBe(`cas: ${said}\n`);
  });

  test('escapes control characters in what was typed', async () => {
    expect(await errorOf('\u001b[2J')).toBe('cas: Unknown command "\\u001b[2J". (cas --help)\n');
  });
});
