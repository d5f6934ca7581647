import type { EvidenceScope, Framework, GuardianAction, RedactionStrategy } from '#schemas/vocabulary.ts';
import type { TriageFacts } from './triage.ts';

/** The facts by which controls are judged, as of a checkpoint and for a period. */

export interface Totals {
  readonly signals: number;
  /** HIGH and CRITICAL ones. */
  readonly high: number;
}

/** Incidents for a set of signals. */
export interface IncidentFacts {
  readonly incidents: number;
  /** Neither resolved nor dismissed. */
  readonly open: number;
  /** Verified by a user who had not worked on them. */
  readonly verified: number;
  /** HIGH and CRITICAL signals with an incident. */
  readonly highWithIncident: number;
  /** HIGH and CRITICAL signals with a resolved or dismissed incident. */
  readonly highAddressed: number;
  readonly triage: TriageFacts;
}

interface ProviderFacts {
  readonly provider: string;
  readonly signals: number;
  /** With any violation. */
  readonly violating: number;
  /** With personal data. */
  readonly personal: number;
}

/** A sandbox in use: active, and not deleted. */
interface SandboxFacts {
  readonly guardianAction: GuardianAction;
  readonly redactionStrategy: RedactionStrategy;
}

/** Counts of the period's last thirty days, and of the thirty days before. */
interface Recent {
  readonly newer: Totals;
  readonly older: Totals;
}

/** All facts in the scope of a framework. */
export interface ScopeFacts extends Totals, Recent {
  readonly scope: EvidenceScope;
  /** Signals without provider, model or region. */
  readonly withoutOrigin: number;
  /** Signals with personal data, and those of them whose sandbox redacts or blocks. */
  readonly personal: number;
  readonly redacted: number;
  readonly byCode: ReadonlyMap<string, number>;
  /** Those with the most signals. */
  readonly providers: readonly ProviderFacts[];
  readonly sandboxes: readonly SandboxFacts[];
  readonly incidents: IncidentFacts;
}

/** Signals that count against a control. */
export interface MappedFacts extends Totals, Recent {
  readonly byCode: ReadonlyMap<string, number>;
  /** HIGH and CRITICAL ones first, then the newest. */
  readonly sampleSignalIds: readonly string[];
  readonly incidents: IncidentFacts;
}

/** How often, and with what result, the customer's ledger was verified, and who read it. */
export interface LedgerFacts {
  /** Entries re-hashed without a fault, counted from the first. */
  readonly verifiedEntries: number;
  /** Index of a fault that was found and not fixed. */
  readonly brokenAt: number | null;
  /** When any of it was last re-hashed, Unix ms. */
  readonly rehashedAt: number | null;
  /** Calls by auditors in the period, including refused ones. */
  readonly auditorCalls: number;
  /** When the checkpoint was signed, Unix ms. */
  readonly checkpointAt: number;
  /** Evidence packages released before it. */
  readonly packages: number;
  /** Policies that were enforced when it was signed. */
  readonly policies: number;
  readonly retentionPolicies: readonly RetentionFacts[];
  /** Entries in the period with which retention policies erased signals. */
  readonly retentionErasures: number;
  /** Erasures in the period that were requested. */
  readonly askedErasures: number;
}

interface RetentionFacts {
  readonly framework: Framework | null;
  readonly retentionDays: number;
}

export const NO_INCIDENTS: IncidentFacts = {
  incidents: 0,
  open: 0,
  verified: 0,
  highWithIncident: 0,
  highAddressed: 0,
  triage: { judged: 0, late: 0, medianMs: null },
};
