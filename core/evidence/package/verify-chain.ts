import {
  chainRange,
  type EntryLine,
  entryLine,
  type Manifest,
} from '#schemas/api/evidence/evidence-package.ts';
import { erasedAuditId } from '#schemas/ledger/erased-audit.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { CHAIN_START, chainHash, dataHash, HASH_BYTES, leafHash } from '../hashing.ts';
import type { Archive } from './archive.ts';
import { PackageFault } from './package-fault.ts';
import { createRangeTree, type RangeTree } from './range-tree.ts';
import { jsonOf, linesOf } from './read-files.ts';

const ENTRIES = 'hash-chain/entries.ndjson';
const RANGE = 'hash-chain/range.json';
const MAX_RANGE_BYTES = 64 * 1024;

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Facts from the verified entries about contents. */
export interface ChainFacts {
  readonly from: number;
  readonly entries: number;
  /** Audits with an ERASURE in the range: the id of its entry names the audit. */
  readonly erased: ReadonlySet<string>;
  /** null outside the range. `core`, `detail`: hashes of the contents. */
  at(index: number): {
    readonly kind: LedgerKind;
    readonly id: string;
    readonly at: string;
    readonly core: Buffer;
    readonly detail: Buffer;
  } | null;
}

/** Re-derives every entry, its link to the previous one, and the tree up to the signed root. */
export async function verifyChain(
  archive: Archive,
  signed: Manifest,
  checkpoint: Checkpoint,
): Promise<ChainFacts> {
  const range = await jsonOf(archive, RANGE, { schema: chainRange, maxBytes: MAX_RANGE_BYTES });
  const { from, to } = range;
  if (range.treeSize !== checkpoint.size || range.rootHash !== signed.rootHash)
    throw new PackageFault(RANGE, 'it belongs to another checkpoint');
  if (from > to || to > checkpoint.size || signed.counts.entries !== to - from)
    throw new PackageFault(RANGE, 'its entries are not those listed in the manifest');
  const tree = treeOf(range, checkpoint.size);
  const contents = contentsOf(from, to);
  let previous: string | null = from === 0 ? CHAIN_START.toString('hex') : null;
  let next = from;
  for await (const { number, value } of linesOf(archive, ENTRIES, entryLine)) {
    const line = `${ENTRIES}:${number}`;
    const fault =
      next >= to ? 'there are more entries than in the range' : entryFault(value, next, signed, previous);
    if (fault !== null) throw new PackageFault(line, fault);
    tree.leaf(bytes(value.leafHash));
    contents.add(value);
    previous = value.hash;
    next += 1;
  }
  if (next < to) throw new PackageFault(ENTRIES, `${to - next} entries of the range are missing`);
  if (!tree.root().equals(checkpoint.root))
    throw new PackageFault(RANGE, 'entries and subtrees do not produce the signed root');
  if (to === checkpoint.size && from < to && previous !== checkpoint.chainHead.toString('hex'))
    throw new PackageFault(ENTRIES, 'the last entry does not match the signed chain head');
  return { from, entries: to - from, erased: contents.erased, at: contents.at };
}

function treeOf(range: typeof chainRange._output, size: number): RangeTree {
  const hashes = (side: 'left' | 'right'): Buffer[] => range[side].map(({ hash }) => bytes(hash));
  try {
    return createRangeTree(range, size, { left: hashes('left'), right: hashes('right') });
  } catch {
    throw new PackageFault(RANGE, 'its subtrees do not match the entries');
  }
}

/** The fault of an entry; `previous` null: the previous entry is not in the archive. */
function entryFault(
  { leaf, ...line }: EntryLine,
  index: number,
  { customerId }: Manifest,
  previous: string | null,
): string | null {
  if (leaf.index !== index) return `it has index ${leaf.index}, expected ${index}`;
  if (leaf.customerId !== customerId) return 'it belongs to another customer';
  const data = dataHash(bytes(line.coreHash), bytes(line.detailHash)).toString('hex');
  if (data !== leaf.dataHash) return 'coreHash and detailHash do not match the leaf';
  const hashed = leafHash(leaf);
  if (hashed.toString('hex') !== line.leafHash) return 'leafHash is not the hash of the leaf';
  if (previous !== null && line.previousHash !== previous) return 'it is not linked to the previous entry';
  const chained = chainHash(bytes(line.previousHash), hashed).toString('hex');
  return chained === line.hash ? null : 'its hash does not follow from the previous one';
}

/** Hashes of contents in a few flat blocks: a package may have millions of entries. */
function contentsOf(from: number, to: number) {
  const hashes = Buffer.alloc((to - from) * 2 * HASH_BYTES);
  const erased = new Set<string>();
  const named: { readonly kind: LedgerKind; readonly id: string; readonly at: string }[] = [];
  return {
    erased,
    add: ({ leaf: { kind, id, at }, coreHash, detailHash }: EntryLine): void => {
      const offset = named.length * 2 * HASH_BYTES;
      hashes.write(coreHash, offset, 'hex');
      hashes.write(detailHash, offset + HASH_BYTES, 'hex');
      named.push({ kind, id, at });
      const auditId = kind === 'ERASURE' ? erasedAuditId(id) : null;
      if (auditId !== null) erased.add(auditId);
    },
    at: (index: number) => {
      const found = named[index - from];
      if (found === undefined) return null;
      const offset = (index - from) * 2 * HASH_BYTES;
      const core = hashes.subarray(offset, offset + HASH_BYTES);
      return { ...found, core, detail: hashes.subarray(offset + HASH_BYTES, offset + 2 * HASH_BYTES) };
    },
  };
}
