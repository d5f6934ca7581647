import type { Mapping } from './catalogues.ts';
import type { IncidentFacts } from './facts.ts';
import { type Triage, triageFacts } from './triage.ts';

interface SignalMarks {
  readonly riskLevel: string;
  readonly violations: readonly string[];
  /** Detectors with a match. */
  readonly detectors: readonly string[];
}

export const isHigh = ({ riskLevel }: Pick<SignalMarks, 'riskLevel'>): boolean =>
  riskLevel === 'HIGH' || riskLevel === 'CRITICAL';

/** Whether a signal counts against a control. The warehouse counts signals by the same rule. */
export function isMapped(mapping: Mapping, signal: SignalMarks): boolean {
  const has = (codes: readonly string[]): boolean => codes.some((code) => signal.violations.includes(code));
  return (
    has(mapping.codes) &&
    (mapping.togetherWith.length === 0 || has(mapping.togetherWith)) &&
    (mapping.detectors.length === 0 || mapping.detectors.some((name) => signal.detectors.includes(name))) &&
    (!mapping.highOnly || isHigh(signal))
  );
}

/** An incident with the relevant fields of its signal. */
export interface IncidentOfSignal {
  readonly signalId: string;
  readonly status: string;
  readonly isHigh: boolean;
}

/** Resolved or later, or dismissed as no violation. */
const ADDRESSED: readonly string[] = ['RESOLVED', 'VERIFIED', 'CLOSED', 'DISMISSED'];
/** A second person confirmed it. */
const VERIFIED: readonly string[] = ['VERIFIED', 'CLOSED'];

const isAddressed = ({ status }: Pick<IncidentOfSignal, 'status'>): boolean => ADDRESSED.includes(status);

/** Number of incidents neither resolved nor dismissed. */
export const openIncidents = (incidents: readonly Pick<IncidentOfSignal, 'status'>[]): number =>
  incidents.filter((incident) => !isAddressed(incident)).length;

/** A signal may have several incidents; any one of them can address it. `at`: as of when, Unix ms. */
export function incidentFacts(incidents: readonly (IncidentOfSignal & Triage)[], at: number): IncidentFacts {
  const high = incidents.filter((incident) => incident.isHigh);
  const signalsOf = (some: readonly IncidentOfSignal[]): number =>
    new Set(some.map(({ signalId }) => signalId)).size;
  return {
    incidents: incidents.length,
    open: openIncidents(incidents),
    verified: incidents.filter(({ status }) => VERIFIED.includes(status)).length,
    highWithIncident: signalsOf(high),
    highAddressed: signalsOf(high.filter(isAddressed)),
    triage: triageFacts(incidents, at),
  };
}
