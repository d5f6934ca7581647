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
import { type Client, createClient, RequestFailed, serviceUrl } from '../command/client.ts';
import { print, printError } from '../command/output.ts';
import type { SettingsReader } from '../command/settings.ts';
import { keepWatching } from './keep-watching.ts';
import { readCheckpoint } from './read-evidence.ts';
import { keysOf } from './verify.ts';

interface WatchOptions {
  readonly key: readonly string[];
  readonly every: string;
  readonly giveUpAfter: string;
  readonly once?: true;
  readonly url?: string;
}

const LONGEST_SECONDS = 86_400;

/** `cas watch`: a witness, which keeps the last checkpoint of a customer and demands that each newer one goes on from it. */
export function watchCommand(program: Command, settings: SettingsReader): void {
  program
    .command('watch')
    .description(
      'keep the checkpoint of a ledger (key of its customer in CAS_API_KEY) and demand that it goes on from there',
    )
    .argument('<file>', 'where the last checkpoint is kept: outside the service, one file a customer')
    .requiredOption('--key <vkey...>', 'key of the service, from another source than the service')
    .option('--every <seconds>', 'how often to look', '60')
    .option('--give-up-after <seconds>', 'end with exit code 3 when no read succeeded for so long', '3600')
    .option('--once', 'look once, and end')
    .option('--url <address>', 'address of the service (default: by HOST and PORT)')
    .action(async (file: string, options: WatchOptions) => {
      const read = settings();
      if (read.apiKey === null)
        throw new RequestFailed('no API key: set CAS_API_KEY, or CAS_API_KEY_FILE', null, null);
      const client = createClient(
        options.url?.replace(/\/$/, '') ?? serviceUrl(read),
        { [read.keyHeader]: read.apiKey },
        read.proxies,
      );
      const everyMs = secondsOf('--every', options.every) * 1_000;
      const giveUpAfterMs = secondsOf('--give-up-after', options.giveUpAfter) * 1_000;
      const keys = keysOf(options.key);
      if (options.once) return look(client, file, keys);
      return keepWatching({
        look: () => look(client, file, keys),
        mayPass,
        everyMs,
        giveUpAfterMs,
        clock: () => performance.now(),
        sleep,
        onFailure: ({ message }) => printError(`cas: ${message}`),
      });
    });
}

function secondsOf(name: string, text: string): number {
  const seconds = Number(text);
  if (seconds >= 1 && seconds <= LONGEST_SECONDS) return seconds;
  throw new ProofFault(`${name} ${text} is no number of seconds from 1 to ${LONGEST_SECONDS}`);
}

const TOO_MANY = 429;

/** What was found out is final; that the service does not answer, or is busy, is not. */
export const mayPass = (error: Error): boolean => {
  if (!(error instanceof RequestFailed) || error.code === 'DATA_DAMAGED') return false;
  const { statusCode } = error;
  // An empty ledger has no checkpoint yet.
  const isEmpty = error.code === 'NOT_FOUND';
  return statusCode === null || isEmpty || statusCode === TOO_MANY || statusCode >= 500;
};

/** One look: the newest checkpoint, and the proof that it goes on from the one that is kept, which it then replaces. */
export async function look(client: Client, file: string, keys: readonly NoteKey[]): Promise<void> {
  const held = existsSync(file) ? checkNote(readCheckpoint(file), keys) : null;
  const answer = await client.call(getCheckpoint);
  const { note } = checkpoint.parse(answer.body.data);
  const seen = checkNote(note, keys);
  if (held !== null) await demandThatItGoesOn(client, held, seen);
  keep(file, note);
  print(
    `${seen.origin}: ${seen.size} entries${held === null ? ', kept from now on' : `, which begin with the ${held.size} that were kept`}`,
  );
}

async function demandThatItGoesOn(client: Client, held: Checkpoint, seen: Checkpoint): Promise<void> {
  const fault = contradiction(held, seen);
  if (fault !== null) throw new ProofFault(`the checkpoint contradicts the one that was kept: ${fault}`);
  if (seen.size === held.size) return;
  const query = { fromSize: held.size, toSize: seen.size };
  const { body } = await client.call(getConsistencyProof, { query });
  // Roots and sizes are those of the notes: what the answer says of them proves nothing.
  checkConsistency(consistencyProof.parse(body.data), held, seen);
}

/** Whole or not at all: a watch that dies leaves the older checkpoint. */
function keep(file: string, note: string): void {
  writeFileSync(`${file}.new`, note, { flush: true });
  renameSync(`${file}.new`, file);
}
