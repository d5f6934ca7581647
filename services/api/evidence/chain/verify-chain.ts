import { coverageOf } from '#core/evidence/coverage.ts';
import type { ChainVerification } from '#core/evidence/verify/verify.ts';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { DamagedData } from '#platform/flow/service-error.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { State } from '#platform/state/port.ts';
import { ledgerHead } from '#platform/warehouse/queries/ledger.ts';
import {
  type CheckpointDependencies,
  currentCheckpoint,
  LedgerRolledBack,
  noteOf,
  type SignedCheckpoint,
  signedLast,
} from '#records/ledger/checkpoints.ts';
import { signingKeyStatus } from '#records/ledger/signing-keys.ts';
import {
  type CheckedRange,
  noteChecked,
  verifiedLedger,
  withChecked,
} from '#records/ledger/verified-ledger.ts';
import {
  type ChainFault,
  NOT_COVERED,
  NOT_SIGNED,
  UNSEALED_CONTENT,
  type Verification,
} from '#schemas/api/evidence/hash-chain.ts';
import { otherDerivedFaults } from './derived-rows.ts';
import { documentFaults } from './document-faults.ts';
import type { LedgerPasses, PassWatch } from './pass.ts';
import {
  incrementalPasses,
  modeOf,
  type PlannedPass,
  rangePass,
  type VerificationRequest,
} from './plan-passes.ts';

export interface VerifyDependencies extends CheckpointDependencies {
  readonly state: Pick<State, 'documents'> & CheckpointDependencies['state'];
  readonly keyring: Pick<Keyring, 'documentSeals'>;
  readonly passes: LedgerPasses;
  /** At least 0, less than 1, from an unpredictable source. */
  readonly random: () => number;
}

/** Maximum number of faults in an answer. */
const MAX_ERRORS = 100;
const EMPTY = { from: 0, to: null } as const;

interface Plan {
  readonly mode: Verification['mode'];
  readonly passes: readonly PlannedPass[];
  /** Approximate number of entries to verify. */
  readonly entries: number;
}

/** Plans a request for the ledger's current size. Rejects with 400 if the ledger has no such entries. */
export async function planVerification(
  { warehouse, state, random }: Pick<VerifyDependencies, 'warehouse' | 'state' | 'random'>,
  customerId: string,
  request: VerificationRequest,
): Promise<Plan> {
  const size = ((await ledgerHead(warehouse, customerId)) ?? -1) + 1;
  const mode = modeOf(request, size);
  const passes = await passesOf(mode);
  const entries = passes.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? size - 1) + 1 - from), 0);
  return { mode, passes, entries };

  async function passesOf(of: Verification['mode']): Promise<readonly PlannedPass[]> {
    const { fromIndex = 0, toIndex = size } = request;
    if (of !== 'range' && (request.fromIndex ?? request.toIndex) !== undefined)
      throw invalid('mode', 'fromIndex and toIndex require mode=range');
    if (of === 'full') return [EMPTY];
    if (of === 'range') {
      if (request.toIndex !== undefined && toIndex < fromIndex)
        throw invalid('toIndex', 'must not be below fromIndex');
      if (fromIndex > 0 && fromIndex >= size)
        throw invalid('fromIndex', `the ledger has ${size} entries; indexes start at 0`);
      return [rangePass(request, size)];
    }
    const [verified, { signed }] = await Promise.all([
      verifiedLedger(state.documents, customerId),
      signedLast({ state, warehouse }, customerId),
    ]);
    return incrementalPasses(verified, { size, signedSize: signed?.size ?? 0, random });
  }
}

/**
 * Verifies the customer's ledger against the last signed checkpoint, which detects a chain that was cut or recomputed.
 * Signs a new checkpoint if nothing is wrong.
 */
export async function verifyChain(
  dependencies: VerifyDependencies,
  customerId: string,
  { mode, passes }: Plan,
  watch: PassWatch,
): Promise<Verification> {
  const startedAt = performance.now();
  const { signed } = await signedLast(dependencies, customerId);
  const found: ChainVerification[] = [];
  let checked = 0;
  for (const pass of passes) {
    const before = checked;
    const onProgress = (entries: number): void => watch.onProgress?.(before + entries);
    const one = await dependencies.passes.run({ ...pass, customerId, signed }, { ...watch, onProgress });
    checked += one.checkedEntries;
    found.push(one);
  }
  const last = found.at(-1)!;
  const faults = found.flatMap(({ errors }) => errors);
  const isChainIntact = faults.length === 0;
  const known = [...faults];
  for (const pass of passes)
    faults.push(...(await otherDerivedFaults(dependencies.warehouse, customerId, pass, known, watch.gone)));
  const newest = await newestCheckpoint(dependencies, customerId, isChainIntact, signed);
  if (newest.fault !== null)
    faults.push({ ...newest.fault, index: Math.min(newest.fault.index, last.treeSize) });
  // A changed document does not contradict the chain: its signatures stay true.
  const isIntact = faults.length === 0;
  const documents = await documentFaults(dependencies, customerId, last.treeSize);
  faults.push(...documents.faults);
  const errors = faults.sort((one, other) => one.index - other.index).slice(0, MAX_ERRORS);
  const now = dependencies.now();
  const isWhole = mode === 'full';
  const verified = await noteChecked(dependencies.state.documents, customerId, (before) => {
    const after = withChecked(
      before,
      passes.map((pass, n) => checkedRange(pass, found[n]!)),
      now,
    );
    const isAll = isIntact && mode !== 'range';
    const lastFullAt = isWhole ? new Date(now).toISOString() : before.lastFullAt;
    return { ...after, lastFullAt, size: isAll ? last.treeSize : before.size };
  });
  const size = Math.max(last.treeSize, newest.checkpoint?.size ?? 0);
  return {
    valid: errors.length === 0,
    status: errors.length > 0 ? 'INVALID' : last.treeSize === 0 ? 'EMPTY' : 'VALID',
    mode,
    treeSize: mode === 'range' ? size : last.treeSize,
    rootHash: last.rootHash ?? rootOf(newest.checkpoint, last),
    chainHead: last.chainHead,
    verifiedFrom: lowest(found),
    verifiedTo: last.verifiedTo,
    checkedEntries: checked,
    checkedDocuments: documents.checkedDocuments,
    erasedSignals: found.reduce((sum, { erasedSignals }) => sum + erasedSignals, 0),
    brokenAt: errors[0] ?? null,
    errors,
    notCovered: [...(signed === null ? NOT_SIGNED : NOT_COVERED), ...UNSEALED_CONTENT],
    coverage: coverageOf(verified.pieces, size, now),
    checkpoint: newest.checkpoint === null ? null : noteOf(dependencies, customerId, newest.checkpoint),
    signingKey: await signingKeyStatus(dependencies),
    lastFullVerificationAt: verified.lastFullAt,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

const lowest = (found: readonly ChainVerification[]): number | null =>
  found.reduce<number | null>((least, { verifiedFrom }) => least ?? verifiedFrom, null);

/** A pass that starts after the first entry knows no root; it takes that of a checkpoint over the same entries. */
const rootOf = (checkpoint: SignedCheckpoint | null, { treeSize, chainHead }: ChainVerification) =>
  checkpoint?.size === treeSize && checkpoint.chainHead === chainHead ? checkpoint.root : null;

export const checkedRange = ({ from }: PlannedPass, found: ChainVerification): CheckedRange => ({
  from,
  to: Math.max(from, found.treeSize),
  brokenAt: found.brokenAt?.index ?? null,
});

interface Newest {
  readonly checkpoint: SignedCheckpoint | null;
  readonly fault: ChainFault | null;
}

/** The newest available checkpoint: for a broken chain, or while subtrees are missing, the last signed one. */
async function newestCheckpoint(
  dependencies: VerifyDependencies,
  customerId: string,
  isIntact: boolean,
  signed: SignedCheckpoint | null,
): Promise<Newest> {
  // After an accepted loss, nothing is signed until there is an entry.
  const last = signed?.size === 0 ? null : signed;
  if (!isIntact) return { checkpoint: last, fault: null };
  try {
    return { checkpoint: await currentCheckpoint(dependencies, customerId), fault: null };
  } catch (error) {
    // The verified range is intact; the rest of the ledger may be damaged.
    if (error instanceof Refusal || error instanceof DamagedData) return { checkpoint: last, fault: null };
    if (!(error instanceof LedgerRolledBack)) throw error;
    const fault = { index: error.signed.size - 1, id: null, reason: 'ROLLBACK' } as const;
    return { checkpoint: error.signed, fault };
  }
}
