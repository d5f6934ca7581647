#!/usr/bin/env node
import { Command } from 'commander';
import { accountsCommand, keysCommand } from './accounts.ts';
import { RequestFailed } from './command/client.ts';
import { printError } from './command/output.ts';
import { configCommand, settingsFromEnvironment } from './command/settings.ts';
import { correlateCommand } from './correlate/correlate.ts';
import { damageCommand } from './damage.ts';
import { deadLettersCommand } from './dead-letters.ts';
import { demoCommand } from './demo/demo.ts';
import { exportCommand } from './export/export.ts';
import { ingestCommand } from './ingest/ingest.ts';
import { migrateCommand } from './migrate/command.ts';
import { partitionsCommand } from './partitions.ts';
import { roleCommands } from './roles.ts';
import { signingKeyCommand } from './signing-key.ts';
import { startCommand } from './start.ts';
import { WatchGaveUp } from './verify/keep-watching.ts';
import { verifyCommand } from './verify/verify.ts';
import { watchCommand } from './verify/watch.ts';

// Files written by any command are for its own user only: data, keys, exports.
process.umask(0o077);

const program = new Command('cas').description('Compliance Audit Service').showHelpAfterError();
for (const add of [
  startCommand,
  roleCommands,
  migrateCommand,
  configCommand,
  demoCommand,
  accountsCommand,
  keysCommand,
  signingKeyCommand,
  deadLettersCommand,
  partitionsCommand,
  damageCommand,
  correlateCommand,
  exportCommand,
  ingestCommand,
  verifyCommand,
  watchCommand,
]) {
  add(program, settingsFromEnvironment);
}

try {
  await program.parseAsync();
} catch (error) {
  // For errors that users can act on the message is enough; the stack is for faults of the program.
  const expected = error instanceof RequestFailed || (error instanceof Error && error.name !== 'TypeError');
  printError(`cas: ${expected ? (error as Error).message : String((error as Error).stack)}`);
  process.exitCode = error instanceof WatchGaveUp ? error.exitCode : 1;
}
