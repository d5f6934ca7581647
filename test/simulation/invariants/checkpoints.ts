import { checkConsistency } from '#core/evidence/checkpoint/check-proof.ts';
import { type Checkpoint, parseCheckpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import { parseNote } from '#core/evidence/checkpoint/signed-note.ts';
import { EMPTY_FRONTIER, rootOf, type Subtree, withLeaf } from '#core/evidence/tree/frontier.ts';
import { currentCheckpoint } from '#records/ledger/checkpoints.ts';
import { LEDGER } from '#schemas/topics.ts';
import { TREE_HEIGHTS } from '../nodes/node.ts';
import type { World } from '../world-of-run.ts';

/** A ledger's root and last chain hash at each size, and its complete subtrees, computed leaf by leaf. */
interface Tree {
  readonly roots: readonly string[];
  readonly heads: readonly string[];
  readonly subtrees: ReadonlyMap<string, string>;
}

function treesOf({ store }: World): Map<string, Tree> {
  const byCustomer = new Map<string, Map<number, { leafHash: string; hash: string }>>();
  for (const row of store.rows.ledger) {
    const own = byCustomer.get(row.customerId) ?? new Map<number, { leafHash: string; hash: string }>();
    byCustomer.set(row.customerId, own.set(row.index, row));
  }
  return new Map([...byCustomer].map(([customerId, rows]) => [customerId, treeOf(rows)]));
}

function treeOf(rows: ReadonlyMap<number, { readonly leafHash: string; readonly hash: string }>): Tree {
  const [roots, heads, subtrees] = [[''], [''], new Map<string, string>()];
  const note = ({ height, index, hash }: Subtree): void => {
    if (height === TREE_HEIGHTS.small || height === TREE_HEIGHTS.large)
      subtrees.set(`${height}:${index}`, hash.toString('hex'));
  };
  let frontier = EMPTY_FRONTIER;
  for (let index = 0; rows.has(index); index += 1) {
    frontier = withLeaf(frontier, Buffer.from(rows.get(index)!.leafHash, 'hex'), note);
    roots.push(rootOf(frontier).toString('hex'));
    heads.push(rows.get(index)!.hash);
  }
  return { roots, heads, subtrees };
}

function read(note: string): Checkpoint {
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '');
  if (checkpoint === null) throw new Error(`no checkpoint: ${note}`);
  return checkpoint;
}

/**
 * Every published note matches the ledger at that size and is stored in the warehouse, so no two of one size differ.
 */
function noteFaults({ promised, store, excusedNotes }: World, trees: ReadonlyMap<string, Tree>): string[] {
  const recorded = new Set(store.rows.checkpoints.map((row) => `${row.customerId} ${row.size} ${row.root}`));
  return promised.notes.flatMap(({ customerId, note }, position) => {
    const { size, root, chainHead } = read(note);
    const tree = trees.get(customerId);
    const name = `the note of ${size} entries of ${customerId}`;
    const isRight =
      tree?.roots[size] === root.toString('hex') && tree.heads[size] === chainHead.toString('hex');
    if (!isRight) return [`${name} is not of the ledger that is stored`];
    const isRecorded =
      position < excusedNotes || recorded.has(`${customerId} ${size} ${root.toString('hex')}`);
    return isRecorded ? [] : [`${name} is not on record`];
  });
}

function rowFaults({ store }: World, trees: ReadonlyMap<string, Tree>): string[] {
  const { checkpoints, subtrees } = store.rows;
  return [
    ...checkpoints
      .filter(({ customerId, size, root }) => trees.get(customerId)?.roots[size] !== root)
      .map(({ customerId, size }) => `the row of ${size} entries of ${customerId} is of another ledger`),
    ...subtrees
      .filter((row) => trees.get(row.customerId)?.subtrees.get(`${row.height}:${row.index}`) !== row.hash)
      .map((row) => `subtree ${row.height}:${row.index} of ${row.customerId} is of another ledger`),
  ];
}

function proofFaults({ promised }: World): string[] {
  return promised.proofs.flatMap(({ customerId, earlier, proof }) => {
    try {
      const older = read(earlier);
      checkConsistency(proof, older, read(proof.checkpoint));
      return [];
    } catch (error) {
      return [`a proof for ${customerId}: ${(error as Error).message}`];
    }
  });
}

/** Index after the last entry of a subtree. */
function endOf(position: string): number {
  const [height = 0, index = 0] = position.split(':').map(Number);
  return (index + 1) * 2 ** height;
}

/** Complete subtrees that are missing although all their entries are folded. */
export function missingSubtrees(world: World): string[] {
  const { rows } = world.store;
  const stored = new Set(rows.subtrees.map((row) => `${row.customerId} ${row.height}:${row.index}`));
  return [...treesOf(world)].flatMap(([customerId, { subtrees }]) =>
    [...subtrees.keys()]
      .filter(
        (position) =>
          !stored.has(`${customerId} ${position}`) && endOf(position) <= foldedSize(world, customerId),
      )
      .map((position) => `subtree ${position} of ${customerId}`),
  );
}

/** Number of ledger entries below the sink's position: entries above it in a stopped partition are not signed. */
function foldedSize({ store: { rows } }: World, customerId: string): number {
  const next = new Map<number, number>();
  for (const { topic, partition, nextOffset } of rows.positions)
    if (topic === LEDGER.name) next.set(partition, Math.max(next.get(partition) ?? 0, nextOffset));
  const folded = rows.ledger.filter(
    (row) => row.customerId === customerId && row.offset < (next.get(row.partition) ?? 0),
  );
  return new Set(folded.map(({ index }) => index)).size;
}

/** Finally each ledger has a checkpoint over all its folded entries. */
async function laggards(world: World, trees: ReadonlyMap<string, Tree>): Promise<string[]> {
  const faults: string[] = [];
  for (const customerId of trees.keys()) {
    const api = world.supervisor.api();
    if (api === null) return [...faults, 'no API is left to make a checkpoint'];
    const least = foldedSize(world, customerId);
    const made = await currentCheckpoint(api, customerId).catch((error: Error) => error);
    // Other invariants repeat requests, and entries that the first attempt left in the outbox are folded meanwhile.
    const most = foldedSize(world, customerId);
    if (made instanceof Error) faults.push(`${customerId}: no checkpoint in the end: ${made.message}`);
    else if ((made?.size ?? 0) < least || (made?.size ?? 0) > most)
      faults.push(`${customerId}: the last checkpoint has ${made?.size} of ${least} to ${most}`);
  }
  return faults;
}

/**
 * No two published notes of one size have different roots, despite crashes, fail-overs and restores; every note matches
 * the final ledger, and each published proof leads from one note to another.
 */
export async function checkpointFaults(world: World): Promise<string[]> {
  const trees = treesOf(world);
  return [
    ...noteFaults(world, trees),
    ...rowFaults(world, trees),
    ...proofFaults(world),
    ...world.promised.rollbacks.map(({ customerId }) => `${customerId} received a rollback error`),
    ...(await laggards(world, trees)),
  ];
}
