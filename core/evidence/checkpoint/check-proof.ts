import type { ConsistencyProof, InclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { ErasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';
import { dataHash, leafHash } from '../hashing.ts';
import { isConsistent, rootFromInclusion } from '../tree/verify-proofs.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { openNote } from './signed-note.ts';
import type { NoteKey } from './verifier-key.ts';

/** The input proves nothing. The message says what does not match. */
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

/** The checkpoint in a note signed by one of the keys. */
export function checkNote(note: string, keys: readonly NoteKey[]): Checkpoint {
  const opened = openNote(note, keys);
  if (opened === null) throw new ProofFault('the note is not signed by the given key, or was changed');
  const checkpoint = parseCheckpoint(opened.text);
  if (checkpoint === null) throw new ProofFault('the note is signed but is not a ledger checkpoint');
  return checkpoint;
}

/**
 * Checks that an entry is in the signed tree. Its hashes prove its content: `dataHash` covers the columns of a signal
 * with their salts.
 */
export function checkInclusion(proof: InclusionProof, keys: readonly NoteKey[]): Checkpoint {
  const checkpoint = checkLeaf({ ...proof, index: proof.leafIndex }, keys);
  const data = dataHash(bytes(proof.coreHash), bytes(proof.detailHash));
  demand(data.toString('hex') === proof.leaf.dataHash, 'coreHash and detailHash do not match the leaf');
  return checkpoint;
}

/** Checks that an erasure is in the signed tree. `signalId` null: of any signal; the leaf says which. */
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

/** Checks that the leaf is in its customer's signed tree. */
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

/**
 * Checks that the ledger of `toSize` entries extends that of `fromSize`. `older`, `newer`: their expected sizes and
 * roots.
 */
export function checkConsistency(
  proof: ConsistencyProof,
  older: Pick<Checkpoint, 'size' | 'root'>,
  newer: Pick<Checkpoint, 'size' | 'root'>,
): void {
  const sizes = proof.fromSize === older.size && proof.toSize === newer.size;
  demand(sizes, `the proof covers ${proof.fromSize} to ${proof.toSize} entries, not these checkpoints`);
  demand(isConsistent(older, newer, proof.hashes.map(bytes)), 'the proof does not connect the two roots');
}

/** How two checkpoints of a ledger contradict each other, regardless of any proof; null: they do not by themselves. */
export function contradiction(known: Checkpoint, seen: Checkpoint): string | null {
  if (known.origin !== seen.origin)
    return `it belongs to another ledger: ${seen.origin}, not ${known.origin}`;
  if (seen.size < known.size)
    return `ROLLBACK: it has ${seen.size} entries, and ${known.size} were signed before`;
  if (seen.epoch !== known.epoch)
    return `ROLLBACK: an operator discarded signed entries (epoch ${known.epoch ?? 0} before, ${seen.epoch ?? 0} now); the ledger says why`;
  if (seen.size === known.size && !seen.root.equals(known.root))
    return `SPLIT VIEW: two different ledgers of ${seen.size} entries were signed`;
  return null;
}
