import { createPublicKey, verify } from 'node:crypto';
import type { Receipt, ReceiptContent } from '#schemas/api/audits.ts';
import { canonicalJson } from '../canonical-json.ts';
import { HASH_BYTES, treeLeafHash } from '../hashing.ts';
import { treeOf } from './small-tree.ts';
import { rootFromInclusion } from './verify-proofs.ts';

/**
 * Receipts: one signature for all receipts made together. A single receipt is signed directly. Otherwise the signature
 * is over the root of a Merkle tree whose leaves are the receipts' contents; each receipt carries its path to that
 * root, so that it can be checked alone. The content of a leaf includes a random nonce, so the hashes of a path reveal
 * nothing about other receipts.
 */

/** Maximum receipts per tree: a path has at most six hashes. */
export const MAX_TREE_SIZE = 64;
/**
 * Not the start of any JSON: a signature over a single receipt can never be passed off as one over a root, or vice
 * versa.
 */
const ROOT_TAG = 'cas/receipts/v1\0';

const contentOf = (receipt: ReceiptContent): string => {
  const { acceptedAt, keyId, nonce, offset, partition, payloadDigest } = receipt;
  // In canonical JSON order, which avoids sorting.
  return canonicalJson({ acceptedAt, keyId, nonce, offset, partition, payloadDigest });
};

const rootMessage = (keyId: string, treeSize: number, rootHash: string): Buffer =>
  Buffer.from(ROOT_TAG + canonicalJson({ keyId, rootHash, treeSize }), 'utf8');

/** `contents`: 1 to `MAX_TREE_SIZE`, all with the `keyId` of the key behind `sign`. */
export function makeReceipts(
  contents: readonly ReceiptContent[],
  keyId: string,
  sign: (message: Buffer) => Buffer,
): Receipt[] {
  const [alone, ...others] = contents;
  if (alone !== undefined && others.length === 0) {
    const signature = sign(Buffer.from(contentOf(alone), 'utf8')).toString('base64');
    return [{ ...alone, signature }];
  }
  const { root, paths } = treeOf(contents.map((content) => treeLeafHash(contentOf(content))));
  const treeSize = contents.length;
  const rootHash = root.toString('hex');
  const signature = sign(rootMessage(keyId, treeSize, rootHash)).toString('base64');
  // Written out: adding to a spread object makes it slow to build and to serialise.
  return contents.map(({ payloadDigest, nonce, acceptedAt, partition, offset, keyId: signer }, leafIndex) => {
    const hashes = paths[leafIndex]!.map((hash) => hash.toString('hex'));
    const inclusion = { leafIndex, treeSize, rootHash, hashes };
    return { payloadDigest, nonce, acceptedAt, partition, offset, keyId: signer, inclusion, signature };
  });
}

/**
 * Whether the key signed exactly this receipt. `publicKey`: the raw 32 bytes. A receipt made alone has no path: its
 * signature is over its own content.
 */
export function isGenuine(receipt: Receipt, publicKey: Buffer): boolean {
  const message = signedMessage(receipt);
  if (message === null || publicKey.length !== 32) return false;
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
    format: 'jwk',
  });
  return verify(null, message, key, Buffer.from(receipt.signature, 'base64'));
}

/** The message that must be signed; null: the path does not lead from the content to the root. */
function signedMessage(receipt: Receipt): Buffer | null {
  const { inclusion, keyId } = receipt;
  const content = contentOf(receipt);
  if (inclusion === undefined) return Buffer.from(content, 'utf8');
  const { leafIndex, treeSize, rootHash, hashes } = inclusion;
  const path = hashes.map((hash) => Buffer.from(hash, 'hex'));
  if (path.some(({ length }) => length !== HASH_BYTES)) return null;
  const root = rootFromInclusion(treeLeafHash(content), leafIndex, treeSize, path);
  return root?.toString('hex') === rootHash ? rootMessage(keyId, treeSize, rootHash) : null;
}
