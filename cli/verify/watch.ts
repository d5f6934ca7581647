import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  checkConsistency,
  checkNote,
  contradiction,
  ProofFault,
} from '#core/evidence/checkpoint/check-proof.ts';
import type { Checkpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import type { NoteKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { checkpoint, consistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { getCheckpoint, getConsistencyProof } from '#schemas/endpoints.ts';
import { urlOption, wholeNumber } from '../command/arguments.ts';
import { type Client, RequestFailed } from '../command/client.ts';
import { customerClient, NEEDS_KEY } from '../command/customer-client.ts';
import { fileFault } from '../command/file-fault.ts';
import { addExamples } from '../command/help.ts';
import { print, printError } from '../command/output.ts';
import type { SettingsReader } from '../command/settings.ts';
import { keepWatching } from './keep-watching.ts';
import { readCheckpoint } from './read-evidence.ts';
import { keysOf } from './verify.ts';

interface WatchOptions {
  readonly key: readonly string[];
  readonly every: number;
  readonly giveUpAfter: number;
  readonly once?: true;
  readonly url?: string;
}

const LONGEST_SECONDS = 86_400;

/** `cas watch`: a witness that keeps a customer's last checkpoint and demands that each newer one extends it. */
export function watchCommand(program: Command, settings: SettingsReader): void {
  const command = program
    .command('watch')
    .alias('witness')
    .summary('watch a ledger for rollbacks and changes')
    .description(
      [
        `Be a witness: save the latest checkpoint of a ledger, and check that each newer one extends it. Run it outside the service. ${NEEDS_KEY}`,
        'Exits with 1 when the ledger was rolled back, changed or damaged, and with 3 when the service could not be reached for too long.',
      ].join('\n\n'),
    )
    .argument('<file>', 'where to save the latest checkpoint: one file per customer')
    .requiredOption('--key <vkey...>', 'key of the service, from another source than the service')
    .option('--every <seconds>', 'interval between checks', wholeNumber(1, LONGEST_SECONDS), 60)
    .option(
      '--give-up-after <seconds>',
      'exit with 3 after failing this long',
      wholeNumber(1, LONGEST_SECONDS),
      3_600,
    )
    .option('--once', 'check once and exit')
    .addOption(urlOption())
    .action(async (file: string, options: WatchOptions) => {
      const keys = keysOf(options.key);
      const client = customerClient(settings(), options.url);
      if (options.once) return checkOnce(client, file, keys);
      return keepWatching({
        check: () => checkOnce(client, file, keys),
        mayPass,
        everyMs: options.every * 1_000,
        giveUpAfterMs: options.giveUpAfter * 1_000,
        clock: () => performance.now(),
        sleep,
        onFailure: ({ message }) => printError(`cas: ${message}`),
      });
    });
  addExamples(command, [
    ['cas watch acme.note --key "$VKEY"', 'check every minute'],
    ['cas watch acme.note --key "$VKEY" --once', 'for cron'],
  ]);
}

const TOO_MANY = 429;

/** A fault that a check found is final; a service that is busy or does not answer may recover. */
export const mayPass = (error: Error): boolean => {
  if (!(error instanceof RequestFailed) || error.code === 'DATA_DAMAGED') return false;
  const { statusCode } = error;
  // An empty ledger has no checkpoint yet.
  const isEmpty = error.code === 'NOT_FOUND';
  return statusCode === null || isEmpty || statusCode === TOO_MANY || statusCode >= 500;
};

/** One check: fetches the newest checkpoint and the proof that it extends the saved one, which it then replaces. */
export async function checkOnce(client: Client, file: string, keys: readonly NoteKey[]): Promise<void> {
  const saved = existsSync(file) ? checkNote(readCheckpoint(file), keys) : null;
  const answer = await client.call(getCheckpoint);
  const { note } = checkpoint.parse(answer.body.data);
  const seen = checkNote(note, keys);
  if (saved !== null) await demandExtension(client, saved, seen);
  keep(file, note);
  print(
    saved === null
      ? `${seen.origin}: ${seen.size} entries. Saved as the first checkpoint`
      : `${seen.origin}: ${seen.size} entries, consistent with the ${saved.size} saved before`,
  );
}

async function demandExtension(client: Client, saved: Checkpoint, seen: Checkpoint): Promise<void> {
  const fault = contradiction(saved, seen);
  if (fault !== null) throw new ProofFault(`The checkpoint contradicts the saved one: ${fault}`);
  if (seen.size === saved.size) return;
  const query = { fromSize: saved.size, toSize: seen.size };
  const { body } = await client.call(getConsistencyProof, { query });
  // Roots and sizes are taken from the notes: the response's own claims prove nothing.
  checkConsistency(consistencyProof.parse(body.data), saved, seen);
}

/** Atomic: a watch that dies leaves the older checkpoint. */
function keep(file: string, note: string): void {
  try {
    writeFileSync(`${file}.new`, note, { flush: true });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new Error(`Cannot save the checkpoint to ${file}: ${fileFault(error)}`);
  }
}
