import type { EntityType, ViolationCode } from '../../schemas/vocabulary.ts';
import { findCustomRules } from './custom-rules.ts';
import { type Candidate, type Detector, type TextTraits, traitsOf } from './detector.ts';
import { DETECTOR_RELEASE, DETECTORS } from './detectors.ts';
import { resolveOverlaps } from './overlap.ts';

export { DETECTOR_RELEASE };

export type TextSource = 'prompt' | 'response' | 'thinkingBlock' | 'systemPrompt' | 'userInput';

export interface SourceText {
  readonly source: TextSource;
  readonly text: string;
}

/** One find. It says where the value is, never what it is. */
export interface Finding {
  readonly code: ViolationCode;
  /** What is redacted at the span; null for a phrase of an attack, which is marked but not redacted. */
  readonly entity: EntityType | null;
  readonly detector: string;
  readonly version: number;
  readonly source: TextSource;
  /** UTF-16 code units of that source's text, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Custom rules only: the rule's place in the sandbox's list. */
  readonly ruleIndex?: number;
}

export interface DetectOptions {
  readonly customRules?: readonly string[];
}

const CUSTOM_RULES = { name: 'custom-rules', version: 1 } as const;

type Unplaced = Omit<Finding, 'source'>;

function unplaced(detector: { name: string; version: number }, candidate: Candidate): Unplaced {
  return { ...candidate, detector: detector.name, version: detector.version };
}

function findAll(detector: Detector, text: string, traits: TextTraits): Unplaced[] {
  if (detector.mayFind?.(traits) === false) return [];
  return detector.find(text).map((candidate) => unplaced(detector, candidate));
}

/** One find per code and stretch: two phrases of the same attack that overlap are one. */
function resolveByCode(phrases: readonly Unplaced[], length: number): Unplaced[] {
  if (phrases.length < 2) return [...phrases];
  return [...new Set(phrases.map((phrase) => phrase.code))].flatMap((code) =>
    resolveOverlaps(
      phrases.filter((phrase) => phrase.code === code),
      length,
    ),
  );
}

function detectIn({ source, text }: SourceText, customRules: readonly string[]): Finding[] {
  const traits = traitsOf(text);
  const found = DETECTORS.flatMap((detector) => findAll(detector, text, traits));
  const values = found.filter((find) => find.entity !== null);
  const phrases = found.filter((find) => find.entity === null);
  return [
    ...resolveOverlaps(values, text.length),
    ...resolveByCode(phrases, text.length),
    ...findCustomRules(text, customRules).map((hit) => unplaced(CUSTOM_RULES, hit)),
  ]
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((find) => ({ ...find, source }));
}

/**
 * Finds personal data, secrets, attacks and hits of custom rules. Give each source once. The result follows
 * the order of `texts`, then `start`. Values (finds with an entity) of the detectors never overlap; a custom
 * rule's hit and an attack's phrase may lie across a value or each other, so that neither hides the other.
 * Pure: the same texts give the same findings.
 */
export function detect(texts: readonly SourceText[], options: DetectOptions = {}): Finding[] {
  return texts.flatMap((text) => detectIn(text, options.customRules ?? []));
}
