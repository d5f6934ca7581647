import { sha256 } from '../native-crypto.ts';

/** RFC 6962, section 2.1: the input of an inner node begins with this byte, so that no node can pass for a leaf. */
const NODE_TAG = Buffer.from([0x01]);

/** Root of the tree without leaves: the hash of nothing. */
export const EMPTY_ROOT: Buffer = sha256(Buffer.alloc(0));

/** Hash of the node above two subtrees, 32 bytes each. */
export const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  sha256(Buffer.concat([NODE_TAG, left, right]));
