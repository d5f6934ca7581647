import type { EntityType, ViolationCode } from '../../schemas/vocabulary.ts';
import { type CompiledRules, compileRules, findCustomRules, NO_RULES } from './custom-rules.ts';
import { type Candidate, type Detector, REACH_BACK, traitsInSteps } from './detector.ts';
import { DETECTOR_RELEASE, DETECTORS } from './detectors.ts';
import { mergeInSteps } from './merge.ts';
import { createOverlapResolver, type OverlapResolver } from './overlap.ts';
import type { Span } from './patterns/forward.ts';
import { finish } from './steps.ts';
import { createTermSearch } from './term-search.ts';
import type { SourceText, TextSource } from './texts.ts';

export { DETECTOR_RELEASE };

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

/** Units that are looked at between two yields. */
const WINDOW = 4_096;

const CUSTOM_RULES = { name: 'custom-rules', version: 2 } as const;

/** Finds of the detectors: values, which never overlap, and the phrases of each attack, which do not either. */
interface Found {
  readonly values: OverlapResolver<Finding>;
  /** One find per code and stretch: two phrases of the same attack that overlap are one. */
  readonly phrases: Map<ViolationCode, OverlapResolver<Finding>>;
}

function add({ values, phrases }: Found, finding: Finding): void {
  if (finding.entity !== null) {
    values.add(finding);
    return;
  }
  let resolver = phrases.get(finding.code);
  if (resolver === undefined) {
    resolver = createOverlapResolver();
    phrases.set(finding.code, resolver);
  }
  resolver.add(finding);
}

const isFor = ({ sources }: Detector, source: TextSource): boolean =>
  sources === undefined || sources.includes(source);

const SEARCHES = DETECTORS.filter((detector) => 'search' in detector);
const WHOLES = DETECTORS.filter((detector) => 'searchInSteps' in detector);
const EXCHANGES = DETECTORS.filter((detector) => 'compareInSteps' in detector);
const searchTerms = createTermSearch(DETECTORS.filter((detector) => 'terms' in detector));

/** Lets every detector look at one window after the other; `given`: what is known of this text from the others. */
function* searchInSteps(
  { source, text }: SourceText,
  given: readonly Finding[],
  window: number,
): Generator<void, Finding[][]> {
  const found: Found = { values: createOverlapResolver(), phrases: new Map() };
  const push = (detector: Detector, find: Candidate): void => {
    if (isFor(detector, source)) add(found, placed(find, detector, source));
  };
  for (const finding of given) add(found, finding);
  const traits = yield* traitsInSteps(text);
  for (const detector of WHOLES) {
    if (!isFor(detector, source) || detector.mayFind?.(traits) === false) continue;
    for (const find of yield* detector.searchInSteps(text, source)) push(detector, find);
  }
  const searches = SEARCHES.filter(
    (detector) => isFor(detector, source) && detector.mayFind?.(traits) !== false,
  ).map((detector) => ({ detector, search: detector.search(text) }));
  const walkTerms = searchTerms(text, push, source);
  for (let until = 0; until < text.length; ) {
    if (until > 0) yield;
    until = Math.min(until + window, text.length);
    walkTerms(until);
    for (const { detector, search } of searches) for (const find of search(until)) push(detector, find);
    const settled = until === text.length ? Infinity : until - REACH_BACK;
    found.values.settle(settled);
    for (const resolver of found.phrases.values()) resolver.settle(settled);
  }
  return [found.values.kept, ...[...found.phrases.values()].map(({ kept }) => kept)];
}

/** What the detectors see that look at all texts together. */
function* compareInSteps(texts: readonly SourceText[]): Generator<void, Finding[]> {
  const findings: Finding[] = [];
  for (const detector of EXCHANGES) {
    for (const find of yield* detector.compareInSteps(texts)) {
      if (isFor(detector, find.source)) findings.push(placed(find, detector, find.source));
    }
  }
  return findings;
}

/** Written out, because copies of objects of unknown shape are what a text full of finds would spend its time on. */
const placed = (
  { code, entity, start, end, confidence }: Candidate,
  { name, version }: Detector,
  source: TextSource,
): Finding => ({ code, entity, detector: name, version, source, start, end, confidence });

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

export interface StepOptions {
  readonly rules?: CompiledRules;
  /** For tests: units between two yields. They change nothing about what is found. */
  readonly window?: number;
}

/**
 * Finds personal data, secrets, attacks and hits of custom rules. Give each source once. The result follows
 * the order of `texts`, then `start`. Values (finds with an entity) of the detectors never overlap; a custom
 * rule's hit and an attack's phrase may lie across a value or each other, so that neither hides the other.
 * Pure: the same texts give the same findings. Yields after each stretch of work, so that whoever drives it can let
 * others have their turn; a stretch takes a millisecond or two, whatever the text holds.
 */
export function* detectInSteps(
  texts: readonly SourceText[],
  { rules = NO_RULES, window = WINDOW }: StepOptions = {},
): Generator<void, Finding[]> {
  const findings: Finding[] = [];
  const compared = yield* compareInSteps(texts);
  for (const one of texts) {
    const given = compared.filter(({ source }) => source === one.source);
    const lists = yield* searchInSteps(one, given, window);
    const hits = yield* findCustomRules(one.text, rules);
    const hitLists = hits.map((list, ruleIndex) => list.map((hit) => ruleHit(hit, ruleIndex, one.source)));
    yield* mergeInSteps([...lists, ...hitLists], findings);
  }
  return findings;
}

/** The same in one go. */
export function detect(texts: readonly SourceText[], { customRules = [] }: DetectOptions = {}): Finding[] {
  return finish(detectInSteps(texts, { rules: compileRules(customRules) }));
}
