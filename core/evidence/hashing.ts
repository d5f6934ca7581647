import type { LedgerKind } from '#schemas/vocabulary.ts';
import { canonicalInOrder } from './canonical-json.ts';
import { sha256, sha256Hex } from './native-crypto.ts';

/**
 * The hashes of the ledger. Every input starts with a separate tag, so that bytes hashed for one purpose can never be
 * passed off as another. Tags and layouts are final once the first entry has been stored.
 */
const CORE_TAG = Buffer.from('cas/core/v1\0');
const DETAIL_TAG = Buffer.from('cas/detail/v1\0');
const ENTRY_TAG = Buffer.from('cas/entry/v1\0');
const CHAIN_TAG = Buffer.from('cas/chain/v1\0');
/** RFC 6962, section 2.1: a leaf's hash input starts with this byte, so that chain and tree share their leaf hashes. */
const LEAF_TAG = Buffer.from([0x00]);

/** Length of hashes and salts, in bytes. */
export const HASH_BYTES = 32;
/** Previous hash of index 0. */
export const CHAIN_START: Buffer = Buffer.alloc(HASH_BYTES);

const sha256OfParts = (parts: readonly Buffer[]): Buffer => sha256(Buffer.concat(parts));

/**
 * Nearly all texts (up to a third of this size) are assembled here: creating buffers took half of the time of a hash.
 */
const SCRATCH = Buffer.allocUnsafeSlow(64 * 1_024);
const MAX_UTF8_BYTES = 3;

function sha256OfText(tag: Buffer, salt: Buffer, text: string): Buffer {
  const start = tag.length + salt.length;
  if (start + text.length * MAX_UTF8_BYTES > SCRATCH.length)
    return sha256OfParts([tag, salt, Buffer.from(text, 'utf8')]);
  SCRATCH.set(tag);
  SCRATCH.set(salt, tag.length);
  const end = start + SCRATCH.write(text, start, 'utf8');
  return sha256(SCRATCH.subarray(0, end));
}
const NO_SALT = Buffer.alloc(0);

/** `core`: canonical JSON of the core columns; `salt`: 32 bytes. */
export const coreHash = (salt: Buffer, core: string): Buffer => sha256OfText(CORE_TAG, salt, core);

/** `detail`: canonical JSON of the detail columns; `salt`: 32 bytes. */
export const detailHash = (salt: Buffer, detail: string): Buffer => sha256OfText(DETAIL_TAG, salt, detail);

export const dataHash = (core: Buffer, detail: Buffer): Buffer => sha256OfParts([ENTRY_TAG, core, detail]);

/** What an entry adds to chain and tree: strings and integers only, so that rounding cannot change it. */
export interface Leaf {
  readonly v: number;
  readonly kind: LedgerKind;
  readonly customerId: string;
  readonly index: number;
  readonly id: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Lower-case hex. */
  readonly dataHash: string;
}

const leafText = ({ v, kind, customerId, index, id, at, dataHash: data }: Leaf): string =>
  canonicalInOrder({ at, customerId, dataHash: data, id, index, kind, v });

export const leafHash = (leaf: Leaf): Buffer => treeLeafHash(leafText(leaf));

/** `content`: the canonical JSON of a leaf's content. */
export const treeLeafHash = (content: string): Buffer => sha256OfText(LEAF_TAG, NO_SALT, content);

export const chainHash = (previousHash: Buffer, leaf: Buffer): Buffer =>
  sha256OfParts([CHAIN_TAG, previousHash, leaf]);

/**
 * The same hashes, from and to lower-case hex as stored: a verifier compares texts, and a third of its time was spent
 * on allocating buffers. null: an input does not have the length of a hash.
 */
export const coreHashHex = (salt: string, core: string): string | null => hexOfText(CORE_TAG, salt, core);
export const detailHashHex = (salt: string, detail: string): string | null =>
  hexOfText(DETAIL_TAG, salt, detail);
export const dataHashHex = (core: string, detail: string): string | null =>
  hexOfPair(ENTRY_TAG, core, detail);
export const chainHashHex = (previousHash: string, leaf: string): string | null =>
  hexOfPair(CHAIN_TAG, previousHash, leaf);
export const leafHashHex = (leaf: Leaf): string => hexOfTagged(LEAF_TAG, '', leafText(leaf));

const isHash = (hex: string): boolean => hex.length === 2 * HASH_BYTES;

function hexOfPair(tag: Buffer, left: string, right: string): string | null {
  if (!isHash(left) || !isHash(right)) return null;
  SCRATCH.set(tag);
  let end = tag.length;
  // Writes fewer bytes if the text is not hex.
  end += SCRATCH.write(left, end, 'hex');
  end += SCRATCH.write(right, end, 'hex');
  return sha256Hex(SCRATCH.subarray(0, end));
}

const hexOfText = (tag: Buffer, salt: string, text: string): string | null =>
  isHash(salt) ? hexOfTagged(tag, salt, text) : null;

function hexOfTagged(tag: Buffer, salt: string, text: string): string {
  if (tag.length + HASH_BYTES + text.length * MAX_UTF8_BYTES > SCRATCH.length)
    return sha256OfText(tag, Buffer.from(salt, 'hex'), text).toString('hex');
  SCRATCH.set(tag);
  let end = tag.length;
  end += SCRATCH.write(salt, end, 'hex');
  end += SCRATCH.write(text, end, 'utf8');
  return sha256Hex(SCRATCH.subarray(0, end));
}
