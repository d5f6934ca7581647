import { HASH_BYTES } from '../hashing.ts';
import { sha256 } from '../native-crypto.ts';

/**
 * RFC 6962, section 2.1: the input of an inner node starts with this byte, so that a node cannot be passed off as a
 * leaf.
 */
const NODE_TAG = Buffer.from([0x01]);

/** Root of the empty tree: the hash of no bytes. */
export const EMPTY_ROOT: Buffer = sha256(Buffer.alloc(0));

/** Shared input buffer: creating buffers took half of the time of a node. */
const SCRATCH = Buffer.allocUnsafeSlow(NODE_TAG.length + 2 * HASH_BYTES);
SCRATCH.set(NODE_TAG);

/** Hash of the parent node of two subtrees, 32 bytes each. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES)
    return sha256(Buffer.concat([NODE_TAG, left, right]));
  SCRATCH.set(left, NODE_TAG.length);
  SCRATCH.set(right, NODE_TAG.length + HASH_BYTES);
  return sha256(SCRATCH);
}
