import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { packageRoot } from '#platform/config/package-root.ts';
import { accountsCommand } from './accounts.ts';
import { COMMAND_NEEDED } from './command/arguments.ts';
import { EXIT_CODES } from './command/exit-codes.ts';
import { addExamples, type Example, HELP } from './command/help.ts';
import { configCommand, type SettingsReader } from './command/settings.ts';
import { reportUsageErrors } from './command/usage-errors.ts';
import { correlateCommand } from './correlate/correlate.ts';
import { damageCommand } from './damage.ts';
import { deadLettersCommand } from './dead-letters.ts';
import { demoCommand } from './demo/demo.ts';
import { exportCommand } from './export/export.ts';
import { ingestCommand } from './ingest/ingest.ts';
import { keysCommand } from './keys.ts';
import { loginCommand } from './login.ts';
import { migrateCommand } from './migrate/command.ts';
import { partitionsCommand } from './partitions.ts';
import { roleCommands } from './roles.ts';
import { signingKeyCommand } from './signing-key.ts';
import { startCommand } from './start.ts';
import { verifyCommand } from './verify/verify.ts';
import { watchCommand } from './verify/watch.ts';

type AddCommand = (program: Command, settings: SettingsReader) => void;

/** Commands by purpose, in the order of the help. */
const GROUPS: readonly (readonly [heading: string, commands: readonly AddCommand[]])[] = [
  ['Run:', [startCommand, demoCommand, loginCommand, roleCommands, migrateCommand, configCommand]],
  ['Data:', [ingestCommand, exportCommand, correlateCommand, deadLettersCommand]],
  ['Evidence:', [verifyCommand, watchCommand, damageCommand]],
  ['Admin:', [accountsCommand, keysCommand, signingKeyCommand, partitionsCommand]],
];

interface About {
  readonly summary: string;
  readonly examples: readonly Example[];
}

/** Commands for the first hour, which explain themselves as they run. */
const FIRST_STEPS: Readonly<Record<string, About>> = {
  start: {
    summary: 'run the whole service on this machine',
    examples: [['cas start'], ['PORT=9000 DATA_DIR=./acme cas start', 'a second one']],
  },
  demo: { summary: 'fill the workspace with examples', examples: [['cas demo']] },
  login: { summary: 'print a link that signs in to the dashboard', examples: [['cas login']] },
};

/** The command line. Prints and throws its errors; the caller ends the process. */
export function createProgram(settings: SettingsReader): Command {
  const program = new Command('cas')
    .usage(`${COMMAND_NEEDED} [options]`)
    .description('Compliance Audit Service: audits what applications exchange with language models.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureHelp(HELP);
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, settings);
  }
  for (const command of program.commands) {
    const about = FIRST_STEPS[command.name()];
    if (about !== undefined) addExamples(command.summary(about.summary), about.examples);
  }
  addExamples(
    program,
    [
      ['cas start', 'run the service on this machine'],
      ['cas ingest triplets.ndjson', 'send the triplets of a file'],
      ['cas export --format csv -o signals.csv', 'save signals to a file'],
    ],
    EXIT_CODES,
    'Run "cas <command> --help" for options and examples. docs/configuration.md lists\nthe settings, which come from the environment.',
  );
  reportUsageErrors(program);
  return program;
}

function version(): string {
  const file = readFileSync(path.join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
