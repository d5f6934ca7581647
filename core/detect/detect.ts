import { DETECTOR_RELEASE, DETECTORS } from './detectors.ts';
import { type CompiledRules, compileRules, findCustomRules, NO_RULES } from './find/custom-rules.ts';
import type { Span } from './find/patterns/forward.ts';
import { isFor, placed, searchTextInSteps } from './find/search-text.ts';
import type { Finding } from './finding.ts';
import { mergeInSteps } from './judge/merge.ts';
import { normaliseInSteps, type ReadText } from './read/normalise/normalise.ts';
import { SAME_PLACES } from './read/normalise/places.ts';
import type { SourceText, TextSource } from './read/texts.ts';
import { finish } from './steps.ts';

export { DETECTOR_RELEASE };

interface DetectOptions {
  readonly customRules?: readonly string[];
}

/** Code units scanned between two yields. */
const WINDOW = 1_024;

const CUSTOM_RULES = { name: 'custom-rules', version: 3 } as const;

const ruleHit = ({ start, end }: Span, ruleIndex: number, source: TextSource): Finding => ({
  code: 'CUSTOM_RULE',
  entity: 'CUSTOM_RULE',
  detector: CUSTOM_RULES.name,
  version: CUSTOM_RULES.version,
  source,
  start,
  end,
  confidence: 1,
  ruleIndex,
});

const EXCHANGES = DETECTORS.filter((detector) => 'compareInSteps' in detector);

/** Findings of the detectors that compare all texts with each other. */
function* compareInSteps(texts: readonly SourceText[]): Generator<void, Finding[]> {
  const findings: Finding[] = [];
  for (const detector of EXCHANGES) {
    for (const find of yield* detector.compareInSteps(texts)) {
      if (isFor(detector, find.source)) findings.push(placed(find, detector, find.source));
    }
  }
  return findings;
}

/** Findings between two yields. */
const STRETCH = 1_000;

/**
 * The detectors' findings at their places in the text as it was sent. Of two values on the same character, the first
 * one stays.
 */
function* atOriginalPlaces(list: Finding[], { places }: ReadText): Generator<void, Finding[]> {
  if (places === SAME_PLACES) return list;
  const moved: Finding[] = [];
  let end = 0;
  for (const [index, finding] of list.entries()) {
    if (index % STRETCH === STRETCH - 1) yield;
    const span = places.across(finding.start, finding.end);
    if (span.start < end) continue;
    end = span.end;
    const { code, entity, detector, version, source, confidence } = finding;
    moved.push({ code, entity, detector, version, source, start: span.start, end: span.end, confidence });
  }
  return moved;
}

/** The hits of custom rules as findings; one list per rule. */
function* findingsOf(hits: readonly (readonly Span[])[], source: TextSource): Generator<void, Finding[][]> {
  const lists: Finding[][] = [];
  let seen = 0;
  for (const [ruleIndex, spans] of hits.entries()) {
    const list: Finding[] = [];
    for (const span of spans) {
      list.push(ruleHit(span, ruleIndex, source));
      if (++seen % STRETCH === 0) yield;
    }
    lists.push(list);
  }
  return lists;
}

interface StepOptions {
  readonly rules?: CompiledRules;
  /** For tests: code units between two yields. It does not change what is found. */
  readonly window?: number;
}

/**
 * Finds personal data, secrets, attacks and hits of custom rules. Give each source once. The result follows the order
 * of `texts`, then `start`. The detectors' values (findings with an entity) never overlap; a custom rule's hit and an
 * attack's phrase may overlap a value or each other, so that neither hides the other. Pure: the same texts give the
 * same findings. Yields after every few milliseconds of work, however long the text is, so that the caller can let
 * others run (docs/detection.md).
 */
export function* detectInSteps(
  texts: readonly SourceText[],
  { rules = NO_RULES, window = WINDOW }: StepOptions = {},
): Generator<void, Finding[]> {
  const read: ReadText[] = [];
  for (const { text } of texts) read.push(yield* normaliseInSteps(text));
  const plain = texts.map(({ source }, at) => ({ source, text: read[at]!.text }));
  const compared = yield* compareInSteps(plain);
  const findings: Finding[] = [];
  for (const [at, { source, text }] of texts.entries()) {
    const given = compared.filter((finding) => finding.source === source);
    const lists: Finding[][] = [];
    for (const list of yield* searchTextInSteps(plain[at]!, { given, window })) {
      lists.push(yield* atOriginalPlaces(list, read[at]!));
    }
    const hits = yield* findCustomRules(text, rules, read[at]!);
    yield* mergeInSteps([...lists, ...(yield* findingsOf(hits, source))], findings);
  }
  return findings;
}

/** The same without yielding. */
export function detect(texts: readonly SourceText[], { customRules = [] }: DetectOptions = {}): Finding[] {
  return finish(detectInSteps(texts, { rules: compileRules(customRules) }));
}

/** The texts of an audit, and the compiled rules of its sandbox. */
export interface Audit {
  readonly texts: readonly SourceText[];
  readonly rules?: CompiledRules;
}

/** Parts of detection, in their order. */
export const DETECT_STAGES = ['search'] as const;
export type DetectStage = (typeof DETECT_STAGES)[number];

/** The findings of each audit. `afterStage` is called after each stage over the whole list. */
export function detectAll(audits: readonly Audit[], afterStage?: (stage: DetectStage) => void): Finding[][] {
  const findings = audits.map(({ texts, rules }) => finish(detectInSteps(texts, rules && { rules })));
  afterStage?.('search');
  return findings;
}
