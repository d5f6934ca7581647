import type { Command } from 'commander';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { announceKey, loadSigningKey } from '#platform/sealing/signing-key.ts';
import { COMMAND_NEEDED } from './command/arguments.ts';
import { addExamples } from './command/help.ts';
import { print } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

/** `cas signing-key`: planned replacement of the key that signs checkpoints and receipts. */
export function signingKeyCommand(program: Command, settings: SettingsReader): void {
  const signingKey = program
    .command('signing-key')
    .usage(COMMAND_NEEDED)
    .summary('replace the signing key')
    .description('Replace the key that signs checkpoints and receipts. docs/checkpoints.md has the steps.');
  addExamples(signingKey, [['cas signing-key announce new-key.pem']]);

  const announce = signingKey
    .command('announce')
    .argument('<new-key-file>', 'PEM file of the new Ed25519 key')
    .summary('sign the new key with the current one')
    .description(
      'Sign the new key with the current one. The announcement is saved as <new-key-file>.announcement: keep both files together, then start the service with the new key.',
    )
    .action((nextFile: string) => {
      const { signingKeyFile, dataDir } = settings();
      const key = loadSigningKey(signingKeyFile ?? dataFolder(dataDir).signingKey, { create: false });
      const next = loadSigningKey(nextFile, { create: false });
      print(announceKey(key, next, nextFile));
    });
  addExamples(announce, [
    ['openssl genpkey -algorithm ed25519 -out new-key.pem'],
    ['cas signing-key announce new-key.pem'],
    ['SIGNING_KEY=new-key.pem cas start'],
  ]);
}
