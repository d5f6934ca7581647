import { checkpointText } from '#core/evidence/checkpoint/checkpoint.ts';
import { signNote } from '#core/evidence/checkpoint/signed-note.ts';
import type { StoredHeights } from '#core/evidence/tree/stored-subtrees.ts';
import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { SigningKey } from '#platform/sealing/signing-key.ts';
import { type Collection, customerCollection, kept } from '#platform/state/collection.ts';
import type { State } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  foldedTip,
  type LinkRow,
  lastCheckpoint,
  ledgerLinks,
  storeCheckpoint,
  storedEntries,
} from '#platform/warehouse/queries/trees.ts';
import type { CheckpointRow } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import { partitionOfCustomer } from './folded.ts';
import { LedgerDamaged, storedSmall, TreeBehind, treeHashes } from './tree-hashes.ts';

/** The last checkpoint of a customer's ledger. */
const CHECKPOINTS = 'checkpoints';
export const CHECKPOINT_COLLECTIONS: readonly Collection[] = [
  customerCollection(
    CHECKPOINTS,
    kept('size and hashes, by which the chain is proved after an erasure as before it'),
  ),
];
const LAST = 'last';
export const checkpointRef = (scope: string) => ({ scope, collection: CHECKPOINTS, id: LAST });
/** Limits the wait for the sink's subtrees, and for another node that is signing, ms. */
const WAIT = {
  backoff: { firstMs: 50, maxMs: 500 },
  isRetryable: (error: unknown) => error instanceof TreeBehind,
  limit: { timeoutMs: 3_000, clock: () => performance.now(), exhausted: unavailable },
};

export interface CheckpointDependencies {
  readonly state: State;
  readonly warehouse: Warehouse;
  readonly signingKey: SigningKey;
  /** Unix ms. */
  readonly now: () => number;
  /** Heights at which subtrees are stored; lower in the simulation, whose ledgers are short. */
  readonly treeHeights?: StoredHeights;
  readonly probe?: Probe | undefined;
  /** `ledgerOrigin`: first part of the name in signed notes. */
  readonly settings: { readonly ledgerOrigin: string };
}

/** Content of a checkpoint: hashes in lower-case hex, `issuedAt` ISO 8601; `epoch` 0: no loss was ever accepted. */
export type SignedCheckpoint = Omit<CheckpointRow, 'customerId'>;

/** The stored ledger does not extend its last signed checkpoint. */
export class LedgerRolledBack extends Error {
  readonly signed: SignedCheckpoint;
  constructor(signed: SignedCheckpoint) {
    super(`the ledger does not extend its signed checkpoint of ${signed.size} entries`);
    this.name = 'LedgerRolledBack';
    this.signed = signed;
  }
}

/** Another node advanced the checkpoint at the same time: read it again. */
class Overtaken extends TreeBehind {}

/** The last checkpoint is more recent than this: new entries can wait for the next one, ms. */
const AT_MOST_EVERY_MS = 1_000;
class TooSoon extends TreeBehind {}

/** The text of a signed note: a pure function of the checkpoint, so that all nodes sign the same bytes. */
export function noteOf(
  { signingKey, settings }: Pick<CheckpointDependencies, 'signingKey' | 'settings'>,
  customerId: string,
  { size, root, chainHead, epoch }: SignedCheckpoint,
): string {
  const text = checkpointText({
    origin: `${settings.ledgerOrigin}/${customerId}`,
    size,
    root: Buffer.from(root, 'hex'),
    chainHead: Buffer.from(chainHead, 'hex'),
    epoch: epoch === 0 ? null : epoch,
  });
  return signNote(text, { ...signingKey, name: settings.ledgerOrigin });
}

/** The last signed checkpoint in the state, in the warehouse, and the later of the two. */
interface SignedLast {
  readonly document: StoredSigned | null;
  readonly row: CheckpointRow | null;
  readonly signed: SignedCheckpoint | null;
}

/** The last signed checkpoint, the later of state and warehouse: either may have been restored from a backup. */
export async function signedLast(
  { state, warehouse }: Pick<CheckpointDependencies, 'state' | 'warehouse'>,
  customerId: string,
): Promise<SignedLast> {
  const [document, row] = await Promise.all([
    state.documents.get<SignedCheckpoint>(checkpointRef(customerId)),
    lastCheckpoint(warehouse, customerId),
  ]);
  const isRowLarger = row !== null && (document === null || isLater(row, document.value));
  return { document, row, signed: isRowLarger ? withoutCustomer(row) : (document?.value ?? null) };
}

/** A checkpoint signed after an accepted loss is later, however small it is. */
const isLater = (one: LogSize, other: LogSize): boolean =>
  one.epoch > other.epoch || (one.epoch === other.epoch && one.size > other.size);
type LogSize = Pick<SignedCheckpoint, 'epoch' | 'size'>;

type StoredSigned = { readonly version: number; readonly value: SignedCheckpoint };

const withoutCustomer = ({ customerId: _, ...row }: CheckpointRow): SignedCheckpoint => row;

/**
 * The customer's checkpoint over all folded entries, made now if necessary; null if there are none. Waits up to three
 * seconds for the sink's subtrees, then rejects with a retryable error. Rejects with `LedgerRolledBack`, and signs
 * nothing, if the tables do not extend the last signed checkpoint.
 */
export const currentCheckpoint = (
  dependencies: CheckpointDependencies,
  customerId: string,
  onTarget: (target: CheckpointTarget) => void = () => undefined,
): Promise<SignedCheckpoint | null> =>
  retryWithBackoff(WAIT, () =>
    advance(dependencies, customerId, onTarget).catch((error: unknown) => {
      // The other node usually signed the same checkpoint.
      if (error instanceof Overtaken) return advance(dependencies, customerId, onTarget);
      throw error;
    }),
  ).catch(async (error: unknown) => {
    const isBehind = error instanceof Refusal && error.cause instanceof TreeBehind;
    if (isBehind && !(error.cause instanceof TooSoon))
      await rejectIfIncomplete(dependencies.warehouse, customerId);
    throw error;
  });

/** The sink's job cannot complete the tree of a ledger that lacks entries, so waiting is pointless. */
async function rejectIfIncomplete(
  warehouse: CheckpointDependencies['warehouse'],
  customerId: string,
): Promise<void> {
  const { stored, size } = await storedEntries(warehouse, customerId);
  if (stored < size)
    throw new LedgerDamaged(customerId, `${size - stored} of its first ${size} entries are missing`);
}

/** Size and time of the checkpoint about to be made. */
export type CheckpointTarget = Pick<SignedCheckpoint, 'size' | 'issuedAt'>;

/** The current checkpoint, and the result of `read` on the ledger up to it. Reads while the tree is proved. */
export async function readAtCheckpoint<Value>(
  dependencies: CheckpointDependencies,
  customerId: string,
  read: (target: CheckpointTarget | null) => Promise<Value>,
): Promise<{ readonly checkpoint: SignedCheckpoint | null; readonly value: Value }> {
  let started = null as { readonly target: CheckpointTarget; readonly value: Promise<Value> } | null;
  const checkpoint = await currentCheckpoint(dependencies, customerId, (target) => {
    // Only once: a proof that waits for the sink is retried.
    if (started !== null) return;
    started = { target, value: read(target) };
    // Not awaited if the proof fails.
    started.value.catch(() => undefined);
  });
  const isOfIt =
    started?.target.size === checkpoint?.size && started?.target.issuedAt === checkpoint?.issuedAt;
  return { checkpoint, value: await (started !== null && isOfIt ? started.value : read(checkpoint)) };
}

/** Note of the newest checkpoint available now; the last signed one if no newer one can be signed. */
export async function newestNote(
  dependencies: CheckpointDependencies,
  customerId: string,
): Promise<string | null> {
  const newest = await currentCheckpoint(dependencies, customerId).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) && !(error instanceof LedgerRolledBack)) throw error;
    return (await signedLast(dependencies, customerId)).signed;
  });
  // Size 0: a loss was accepted, and nothing has been signed since.
  return newest === null || newest.size === 0 ? null : noteOf(dependencies, customerId, newest);
}

async function advance(
  dependencies: CheckpointDependencies,
  customerId: string,
  onTarget: (target: CheckpointTarget) => void,
): Promise<SignedCheckpoint | null> {
  const { warehouse } = dependencies;
  // Read before the ledger: otherwise another node could sign in between, and its checkpoint would look larger than the
  // ledger.
  const last = await signedLast(dependencies, customerId);
  const { signed } = last;
  const topicPartition = { topic: LEDGER.name, partition: partitionOfCustomer(customerId) };
  const [tip, small] = await Promise.all([
    foldedTip(warehouse, customerId, topicPartition),
    storedSmall(warehouse, customerId, dependencies.treeHeights),
  ]);
  const size = tip === null ? 0 : tip.index + 1;
  if (signed !== null && size < signed.size) throw new LedgerRolledBack(signed);
  if (tip === null) return null;
  if (signed !== null && size > signed.size) enforceInterval(signed, dependencies.now());
  const issuedAt = signed?.size === size ? signed.issuedAt : new Date(dependencies.now()).toISOString();
  onTarget({ size, issuedAt });
  const root = await provedRoot(dependencies, customerId, { size, small, tip }, signed);
  const next: SignedCheckpoint =
    signed?.size === size
      ? signed
      : {
          size,
          root,
          chainHead: tip.hash,
          epoch: signed?.epoch ?? 0,
          issuedAt,
        };
  await storeSigned(dependencies, customerId, last, next);
  return next;
}

/** A growing ledger gets at most one checkpoint a second, however often it is requested. */
function enforceInterval({ issuedAt }: SignedCheckpoint, now: number): void {
  const ageMs = now - Date.parse(issuedAt);
  // Below 0: made by a clock that is ahead.
  if (ageMs >= 0 && ageMs < AT_MOST_EVERY_MS) throw new TooSoon();
}

/** Root over `size` entries, after proving that they extend the signed ones. */
async function provedRoot(
  { warehouse, treeHeights }: CheckpointDependencies,
  customerId: string,
  { size, small, tip }: { readonly size: number; readonly small: number; readonly tip: LinkRow },
  signed: SignedCheckpoint | null,
): Promise<string> {
  const sizes = signed === null || signed.size === 0 ? [size] : [size, signed.size];
  const roots = await treeHashes(
    warehouse,
    customerId,
    sizes.map((to) => ({ from: 0, to })),
    treeHeights,
    small,
  );
  const [root, before] = roots.map((one) => one.toString('hex'));
  if (signed !== null && before !== undefined) {
    const head = signed.size === size ? tip : await linkAt(warehouse, customerId, signed.size - 1);
    if (before !== signed.root || head?.hash !== signed.chainHead) throw new LedgerRolledBack(signed);
  }
  return root!;
}

async function linkAt(
  warehouse: CheckpointDependencies['warehouse'],
  customerId: string,
  index: number,
): Promise<LinkRow | undefined> {
  const links = await ledgerLinks(warehouse, customerId, index, index + 1);
  return links.length === 1 ? links[0] : undefined;
}

/**
 * Written to the state first, where only one node wins, then to the warehouse; only a checkpoint in both is published
 * as a note.
 */
async function storeSigned(
  { state, warehouse, probe }: CheckpointDependencies,
  customerId: string,
  { document, row }: SignedLast,
  next: SignedCheckpoint,
): Promise<void> {
  const isInState = document !== null && !isLater(next, document.value) && document.value.root === next.root;
  if (!isInState) {
    const written = await state.documents.write(customerId, [
      { ...checkpointRef(customerId), expectedVersion: document?.version ?? 0, value: next },
    ]);
    if (!written.ok) throw new Overtaken();
    probe?.('api.checkpoint-in-state');
  }
  const has = (stored: CheckpointRow | null): boolean =>
    stored !== null && !isLater(next, stored) && stored.root === next.root;
  // Rows of this table are never deleted while their customer exists.
  if (has(row) || has(await lastCheckpoint(warehouse, customerId))) return;
  await storeCheckpoint(warehouse, { customerId, ...next });
  probe?.('api.checkpoint-on-record');
}
