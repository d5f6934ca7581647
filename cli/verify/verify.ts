import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import {
  checkConsistency,
  checkErasure,
  checkInclusion,
  checkNote,
  ProofFault,
} from '#core/evidence/checkpoint/check-proof.ts';
import type { Checkpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import { type NoteKey, parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { isGenuine } from '#core/evidence/tree/receipts.ts';
import type { Receipt } from '#schemas/api/audits.ts';
import { listSigningKeys } from '#schemas/endpoints.ts';
import { print } from '../command/output.ts';
import { type Evidence, readEvidence } from './read-evidence.ts';
import { isArchive, provedByArchive } from './verify-archive.ts';

interface VerifyOptions {
  readonly key: readonly string[];
  readonly from?: string;
}

/** Keys as they were given by hand; one that is none is refused before anything is read. */
export function keysOf(texts: readonly string[]): NoteKey[] {
  return texts.map((text) => {
    const key = parseVerifierKey(text);
    if (key !== null) return key;
    throw new ProofFault(
      `--key ${text} is no verifier key: it is the field vkey of ${listSigningKeys.path}, as you kept it`,
    );
  });
}

/** `cas verify`: checks what was kept, with no service and no network. */
export function verifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check an evidence package, a checkpoint, a proof or a receipt offline: no service is asked')
    .argument('<file>', 'a package, an answer of the service as it was kept, or the text of a signed note')
    .requiredOption('--key <vkey...>', 'key of the service, from another source than the file')
    .option('--from <file>', 'for a proof of consistency: the older checkpoint that was kept')
    .action(async (file: string, options: VerifyOptions) => {
      const keys = keysOf(options.key);
      const lines = (await isArchive(file))
        ? await provedByArchive(file, keys)
        : proved(readEvidence(file), keys, options.from);
      for (const line of lines) print(`yes  ${line}`);
    });
}

/** What the evidence proves, a line each. Throws `ProofFault` when it does not. */
export function proved(evidence: Evidence, keys: readonly NoteKey[], from?: string): string[] {
  switch (evidence.kind) {
    case 'checkpoint':
      return [signed(checkNote(evidence.note, keys))];
    case 'inclusion': {
      const { leaf } = evidence.proof;
      return [
        signed(checkInclusion(evidence.proof, keys)),
        `entry ${leaf.index} of it is ${leaf.kind} ${leaf.id} of ${leaf.at}, with the data hash ${leaf.dataHash}`,
      ];
    }
    case 'erasure': {
      const { leaf } = evidence.receipt;
      return [
        signed(checkErasure(evidence.receipt, evidence.signalId, keys)),
        `entry ${leaf.index} of it is the erasure of ${leaf.id.replace(':', ' ')}, decided at ${leaf.at}`,
      ];
    }
    case 'consistency':
      return consistent(evidence.proof, keys, from);
    case 'receipt':
      return [genuine(evidence.receipt, keys)];
  }
}

const signed = ({ origin, size, root }: Checkpoint): string =>
  `signed: ${origin} has ${size} entries, and their tree the root ${root.toString('hex')}`;

function consistent(
  proof: Extract<Evidence, { kind: 'consistency' }>['proof'],
  keys: readonly NoteKey[],
  from: string | undefined,
): string[] {
  const newer = checkNote(proof.checkpoint, keys);
  if (from === undefined)
    throw new ProofFault('a proof of consistency needs the older checkpoint: give its file with --from');
  const held = readEvidence(from);
  if (held.kind !== 'checkpoint') throw new ProofFault(`${from} is no checkpoint`);
  const older = checkNote(held.note, keys);
  if (older.origin !== newer.origin)
    throw new ProofFault(`the older checkpoint is of ${older.origin}, the proof of ${newer.origin}`);
  checkConsistency(proof, older, newer);
  return [signed(older), signed(newer), `the ${newer.size} entries begin with the ${older.size}`];
}

function genuine(receipt: Receipt, keys: readonly NoteKey[]): string {
  const key = keys.find(
    ({ publicKey }) =>
      createHash('sha256').update(publicKey).digest('hex').startsWith(receipt.keyId) &&
      receipt.keyId.length === 16,
  );
  if (key === undefined)
    throw new ProofFault(`the receipt names key ${receipt.keyId}, which is none of those given`);
  if (!isGenuine(receipt, key.publicKey))
    throw new ProofFault('the receipt is not signed by its key, or was changed');
  return `signed: a triplet with the digest ${receipt.payloadDigest} was taken at ${receipt.acceptedAt}`;
}
