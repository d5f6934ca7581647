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

/** A promise of the service, checked against a run's persistent data. Returns the violations. */
export type Invariant = (world: World) => Promise<string[]> | string[];

/** By name; each has a file of its own beside this one. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'one chain per customer': chainFaults,
  'every 202 ends in one final state': finalStateFaults,
  'what was confirmed is there': confirmedFaults,
  'policies that were confirmed are there': policyFaults,
  'each breach has its incident': breachFaults,
  'patterns are those of one reading': patternFaults,
  'signals of the platform are stored': internalSignalFaults,
  'the reconciliation balances': reconciliationFaults,
  'what was accepted can be opened': openableFaults,
  'what was erased stays erased': erasureFaults,
  'what forbids an erasure wins': retentionFaults,
  'erased signals are nowhere, and provable': signalErasureFaults,
  'packages are whole, and hold nothing erased': packageFaults,
  'notes are of one ledger': checkpointFaults,
  'no text in clear': clearTextFaults,
};

export async function judge(world: World): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, invariant] of Object.entries(INVARIANTS)) {
    // One that meets what it cannot read must not hide what the others have found.
    const faults = await Promise.resolve(world)
      .then(invariant)
      .catch((error: Error) => [`it cannot be judged: ${error.message}`]);
    for (const fault of faults) broken.push(`${name}: ${fault}`);
  }
  return broken;
}
