import type { ConsistencyProof, InclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { ErasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';
import { dataHash, leafHash } from '../hashing.ts';
import { isConsistent, rootFromInclusion } from '../tree/verify-proofs.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { openNote } from './signed-note.ts';
import type { NoteKey } from './verifier-key.ts';

/** What was handed in proves nothing; the message says what does not fit. */
export class ProofFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProofFault';
  }
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

function demand(holds: boolean, fault: string): void {
  if (!holds) throw new ProofFault(fault);
}

/** The checkpoint of a note that one of the keys signed. */
export function checkNote(note: string, keys: readonly NoteKey[]): Checkpoint {
  const opened = openNote(note, keys);
  if (opened === null) throw new ProofFault('the note is not signed by the given key, or was changed');
  const checkpoint = parseCheckpoint(opened.text);
  if (checkpoint === null) throw new ProofFault('the note is signed but is not a ledger checkpoint');
  return checkpoint;
}

/**
 * That an entry is in the signed tree. What the entry holds is proved by its hashes: the columns of a signal, with the
 * salts, by `dataHash`.
 */
export function checkInclusion(proof: InclusionProof, keys: readonly NoteKey[]): Checkpoint {
  const checkpoint = checkLeaf({ ...proof, index: proof.leafIndex }, keys);
  const data = dataHash(bytes(proof.coreHash), bytes(proof.detailHash));
  demand(data.toString('hex') === proof.leaf.dataHash, 'coreHash and detailHash do not match the leaf');
  return checkpoint;
}

/** That an erasure is in the signed tree. `signalId` null: of whichever signal; the leaf says which. */
export function checkErasure(
  receipt: ErasureReceipt,
  signalId: string | null,
  keys: readonly NoteKey[],
): Checkpoint {
  const { kind, id } = receipt.leaf;
  demand(kind === 'ERASURE' && id.startsWith('signal:'), 'the leaf does not record the erasure of a signal');
  demand(signalId === null || id === `signal:${signalId}`, 'the leaf records the erasure of another signal');
  return checkLeaf(receipt, keys);
}

/** That the leaf is in the signed tree of its customer. */
function checkLeaf(
  proof: Pick<ErasureReceipt, 'index' | 'leaf' | 'leafHash' | 'treeSize' | 'hashes' | 'checkpoint'>,
  keys: readonly NoteKey[],
): Checkpoint {
  const checkpoint = checkNote(proof.checkpoint, keys);
  const { leaf, index, treeSize } = proof;
  demand(leaf.index === index, 'the leaf has another index');
  demand(
    checkpoint.origin.endsWith(`/${leaf.customerId}`),
    'the leaf and the note belong to different customers',
  );
  const hash = leafHash(leaf);
  demand(hash.toString('hex') === proof.leafHash, 'leafHash is not the hash of the leaf');
  demand(treeSize === checkpoint.size, 'the proof and the note have different sizes');
  const root = rootFromInclusion(hash, index, treeSize, proof.hashes.map(bytes));
  demand(root?.equals(checkpoint.root) === true, 'the leaf is not included in the signed root');
  return checkpoint;
}

/** That the ledger of `toSize` entries begins with that of `fromSize`. `older`, `newer`: sizes and roots to prove it of. */
export function checkConsistency(
  proof: ConsistencyProof,
  older: Pick<Checkpoint, 'size' | 'root'>,
  newer: Pick<Checkpoint, 'size' | 'root'>,
): void {
  const sizes = proof.fromSize === older.size && proof.toSize === newer.size;
  demand(sizes, `the proof covers ${proof.fromSize} to ${proof.toSize} entries, not these checkpoints`);
  demand(isConsistent(older, newer, proof.hashes.map(bytes)), 'the proof does not connect the two roots');
}

/** How one checkpoint of a ledger contradicts another, whatever proof there may be; null: it does not by itself. */
export function contradiction(held: Checkpoint, seen: Checkpoint): string | null {
  if (held.origin !== seen.origin) return `it belongs to another ledger: ${seen.origin}, not ${held.origin}`;
  if (seen.size < held.size)
    return `ROLLBACK: it has ${seen.size} entries, and ${held.size} were signed before`;
  if (seen.epoch !== held.epoch)
    return `ROLLBACK: an operator discarded signed entries (epoch ${held.epoch ?? 0} before, ${seen.epoch ?? 0} now); the ledger says why`;
  if (seen.size === held.size && !seen.root.equals(held.root))
    return `SPLIT VIEW: two different ledgers of ${seen.size} entries were signed`;
  return null;
}
