import {
  type EvidenceType,
  type Framework,
  type RiskLevel,
  VIOLATION_CODES,
  type ViolationCode,
} from '#schemas/vocabulary.ts';
import type { CheckName } from './checks.ts';
import groups from './code-groups.json' with { type: 'json' };
import ccpa from './controls/CCPA.json' with { type: 'json' };
import euAiAct from './controls/EU_AI_ACT.json' with { type: 'json' };
import gdpr from './controls/GDPR.json' with { type: 'json' };
import hipaa from './controls/HIPAA.json' with { type: 'json' };
import iso27001 from './controls/ISO27001.json' with { type: 'json' };
import pciDss from './controls/PCI_DSS.json' with { type: 'json' };
import soc2 from './controls/SOC2.json' with { type: 'json' };

/** Signals that count against a control. */
export interface Mapping {
  /** Signals with one of these codes. */
  readonly codes: readonly ViolationCode[];
  /** If not empty: only signals that also have one of these codes. */
  readonly togetherWith: readonly ViolationCode[];
  /** If not empty: only signals with a match by one of these detectors. */
  readonly detectors: readonly string[];
  /** True: only HIGH and CRITICAL signals. */
  readonly highOnly: boolean;
}

export interface Control {
  /** Reference within the framework; unique there. */
  readonly id: string;
  /** Our own wording, never the text of a standard. */
  readonly title: string;
  readonly evidenceType: EvidenceType;
  /** null: no signal counts against it. */
  readonly mapping: Mapping | null;
  readonly checks: readonly CheckName[];
  /** ISO date from which the framework requires it; null: already in force. */
  readonly appliesFrom: string | null;
  /** 1 to 3: weight relative to the framework's other controls. */
  readonly weight: number;
}

export interface Catalogue {
  readonly framework: Framework;
  readonly name: string;
  /** Raised whenever counting or checks change; attestations name it. */
  readonly version: string;
  readonly controls: readonly Control[];
}

interface Codes {
  /** Names in `code-groups.json`, or ALL. */
  readonly groups?: readonly string[];
  readonly codes?: readonly string[];
}

/** A control as stored in its file. */
interface StoredControl extends Codes {
  readonly id: string;
  readonly title: string;
  readonly evidenceType: string;
  readonly togetherWith?: Codes;
  readonly detectors?: readonly string[];
  readonly minRiskLevel?: string;
  readonly checks?: readonly string[];
  readonly appliesFrom?: string;
  readonly weight: number;
}

interface StoredCatalogue {
  readonly framework: string;
  readonly name: string;
  readonly version: string;
  readonly controls: readonly StoredControl[];
}

const STORED: readonly StoredCatalogue[] = [gdpr, soc2, iso27001, hipaa, ccpa, euAiAct, pciDss];
const GROUPS: Readonly<Record<string, readonly string[]>> = { ...groups, ALL: VIOLATION_CODES };
const HIGH: RiskLevel = 'HIGH';

/** In the order of the vocabulary, which responses keep. */
function codesOf({ groups: names = [], codes = [] }: Codes): ViolationCode[] {
  const meant = new Set([...names.flatMap((name) => GROUPS[name] ?? []), ...codes]);
  return VIOLATION_CODES.filter((code) => meant.has(code));
}

// A test compares every term in the files with the vocabulary and the checks.
const controlOf = (stored: StoredControl): Control => ({
  id: stored.id,
  title: stored.title,
  evidenceType: stored.evidenceType as EvidenceType,
  mapping:
    stored.evidenceType === 'OPERATIONAL'
      ? null
      : {
          codes: codesOf(stored),
          togetherWith: codesOf(stored.togetherWith ?? {}),
          detectors: stored.detectors ?? [],
          highOnly: stored.minRiskLevel === HIGH,
        },
  checks: (stored.checks ?? []) as readonly CheckName[],
  appliesFrom: stored.appliesFrom ?? null,
  weight: stored.weight,
});

export const CATALOGUES: readonly Catalogue[] = STORED.map(({ framework, name, version, controls }) => ({
  framework: framework as Framework,
  name,
  version,
  controls: controls.map(controlOf),
}));
