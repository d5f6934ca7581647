import type { World } from '../world-of-run.ts';
import { breachFaults } from './breaches.ts';
import { chainFaults } from './chain.ts';
import { checkpointFaults } from './checkpoints.ts';
import { clearTextFaults } from './clear-text.ts';
import { confirmedFaults } from './confirmed.ts';
import { erasureFaults } from './erasure.ts';
import { finalStateFaults } from './final-states.ts';
import { internalSignalFaults } from './internal-signals.ts';
import { openableFaults } from './openable.ts';
import { packageFaults } from './packages.ts';
import { patternFaults } from './patterns.ts';
import { policyFaults } from './policies.ts';
import { reconciliationFaults } from './reconciliation.ts';
import { retentionFaults } from './retention.ts';
import { signalErasureFaults } from './signal-erasures.ts';

/** A guarantee of the service, checked against a run's persistent data. Returns the violations. */
export type Invariant = (world: World) => Promise<string[]> | string[];

/** Invariants by name, each in its own file in this folder. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'one chain per customer': chainFaults,
  'every 202 ends in one final state': finalStateFaults,
  'confirmed changes are stored': confirmedFaults,
  'confirmed policies are stored': policyFaults,
  'each breach has its incident': breachFaults,
  'patterns equal a single read': patternFaults,
  'confirmed platform signals are stored': internalSignalFaults,
  'the reconciliation balances': reconciliationFaults,
  'accepted texts can be opened': openableFaults,
  'erased customers stay erased': erasureFaults,
  'erasure respects holds and open incidents': retentionFaults,
  'erased signals are gone and provable': signalErasureFaults,
  'packages are complete without erased content': packageFaults,
  'notes match one ledger': checkpointFaults,
  'no text in clear': clearTextFaults,
};

export async function judge(world: World): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, invariant] of Object.entries(INVARIANTS)) {
    // An invariant that throws on unreadable data must not hide the others' findings.
    const faults = await Promise.resolve(world)
      .then(invariant)
      .catch((error: Error) => [`it cannot be judged: ${error.message}`]);
    for (const fault of faults) broken.push(`${name}: ${fault}`);
  }
  return broken;
}
