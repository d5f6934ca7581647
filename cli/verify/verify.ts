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
import { WrongUsage } from '../command/exit-codes.ts';
import { addExamples } from '../command/help.ts';
import { print } from '../command/output.ts';
import { type Evidence, readEvidence } from './read-evidence.ts';
import { isArchive, provedByArchive } from './verify-archive.ts';

interface VerifyOptions {
  readonly key: readonly string[];
  readonly from?: string;
}

/** Keys from the command line; an invalid key is rejected before anything is read. */
export function keysOf(texts: readonly string[]): NoteKey[] {
  return texts.map((text) => {
    const key = parseVerifierKey(text);
    if (key !== null) return key;
    throw new WrongUsage(
      `Invalid --key "${text}". Give the vkey that you saved from GET ${listSigningKeys.path}`,
    );
  });
}

/** `cas verify`: checks saved evidence without a service or network. */
export function verifyCommand(program: Command): void {
  const command = program
    .command('verify')
    .summary('check saved evidence offline')
    .description(
      'Check an evidence package, checkpoint, proof or receipt offline. No service is contacted. Exits with 1 if the check fails.',
    )
    .argument('<file>', 'a package, a saved response of the service, or the text of a signed note')
    .requiredOption('--key <vkey...>', 'key of the service, from another source than the file')
    .option('--from <file>', 'the older checkpoint, for a consistency proof')
    .action(async (file: string, options: VerifyOptions) => {
      const keys = keysOf(options.key);
      const lines = (await isArchive(file))
        ? await provedByArchive(file, keys)
        : proved(readEvidence(file), keys, options.from);
      for (const line of lines) print(`yes  ${line}`);
    });
  addExamples(command, [
    ['cas verify package.zip --key "$VKEY"'],
    ['cas verify new-proof.json --from old-checkpoint.json --key "$VKEY"'],
  ]);
}

/** What the evidence proves, one line each. Throws `ProofFault` when it is invalid. */
export function proved(evidence: Evidence, keys: readonly NoteKey[], from?: string): string[] {
  switch (evidence.kind) {
    case 'checkpoint':
      return [signed(checkNote(evidence.note, keys))];
    case 'inclusion': {
      const { leaf } = evidence.proof;
      return [
        signed(checkInclusion(evidence.proof, keys)),
        `entry ${leaf.index}: ${leaf.kind} ${leaf.id} at ${leaf.at}, data hash ${leaf.dataHash}`,
      ];
    }
    case 'erasure': {
      const { leaf } = evidence.receipt;
      return [
        signed(checkErasure(evidence.receipt, evidence.signalId, keys)),
        `entry ${leaf.index}: erasure of ${leaf.id.replace(':', ' ')}, decided at ${leaf.at}`,
      ];
    }
    case 'consistency':
      return consistent(evidence.proof, keys, from);
    case 'receipt':
      return [genuine(evidence.receipt, keys)];
  }
}

const signed = ({ origin, size, root }: Checkpoint): string =>
  `signed checkpoint: ${origin}, ${size} entries, root ${root.toString('hex')}`;

function consistent(
  proof: Extract<Evidence, { kind: 'consistency' }>['proof'],
  keys: readonly NoteKey[],
  from: string | undefined,
): string[] {
  const newer = checkNote(proof.checkpoint, keys);
  if (from === undefined)
    throw new ProofFault('A consistency proof needs the older checkpoint. Give its file with --from');
  const held = readEvidence(from);
  if (held.kind !== 'checkpoint') throw new ProofFault(`${from} is not a checkpoint`);
  const older = checkNote(held.note, keys);
  if (older.origin !== newer.origin)
    throw new ProofFault(`The older checkpoint is from ${older.origin}, the proof from ${newer.origin}`);
  checkConsistency(proof, older, newer);
  return [
    signed(older),
    signed(newer),
    `consistent: the first ${older.size} of ${newer.size} entries are unchanged`,
  ];
}

function genuine(receipt: Receipt, keys: readonly NoteKey[]): string {
  const key = keys.find(
    ({ publicKey }) =>
      createHash('sha256').update(publicKey).digest('hex').startsWith(receipt.keyId) &&
      receipt.keyId.length === 16,
  );
  if (key === undefined)
    throw new ProofFault(
      `The receipt is signed with key ${receipt.keyId}, which was not given. Give it with --key`,
    );
  if (!isGenuine(receipt, key.publicKey))
    throw new ProofFault(
      'The signature of the receipt is not valid: the receipt was changed, or another key signed it',
    );
  return `signed receipt: triplet with digest ${receipt.payloadDigest}, accepted at ${receipt.acceptedAt}`;
}
