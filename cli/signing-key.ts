import type { Command } from 'commander';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { announceKey, loadSigningKey } from '#platform/sealing/signing-key.ts';
import { print } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

/** `cas signing-key`: a planned replacement of the key that checkpoints and receipts are signed with. */
export function signingKeyCommand(program: Command, settings: SettingsReader): void {
  program
    .command('signing-key')
    .description('replace the signing key as planned')
    .command('announce <new-key-file>')
    .description(
      'sign the new key with the one in use, into NEW_KEY_FILE.announcement. Keep both files together, then start the service with the new key',
    )
    .action((nextFile: string) => {
      const { signingKeyFile, dataDir } = settings();
      const key = loadSigningKey(signingKeyFile ?? dataFolder(dataDir).signingKey, { create: false });
      const next = loadSigningKey(nextFile, { create: false });
      print(announceKey(key, next, nextFile));
    });
}
