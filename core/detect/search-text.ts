import type { ViolationCode } from '../../schemas/vocabulary.ts';
import { hiddenTextsInSteps } from './decode/hidden-texts.ts';
import type { Finding } from './detect.ts';
import { type Candidate, type Detector, REACH_BACK, type TextTraits, traitsInSteps } from './detector.ts';
import { DETECTORS } from './detectors.ts';
import { createOverlapResolver, type OverlapResolver } from './overlap.ts';
import { sortInSteps } from './sort.ts';
import { createTermSearch } from './term-search.ts';
import type { SourceText, TextSource } from './texts.ts';

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

/** Written out, because copies of objects of unknown shape are what a text full of finds would spend its time on. */
export const placed = (
  { code, entity, start, end, confidence }: Candidate,
  { name, version }: Detector,
  source: TextSource,
): Finding => ({ code, entity, detector: name, version, source, start, end, confidence });

export const isFor = ({ sources }: Detector, source: TextSource): boolean =>
  sources === undefined || sources.includes(source);

const SEARCHES = DETECTORS.filter((detector) => 'search' in detector);
const WHOLES = DETECTORS.filter((detector) => 'searchInSteps' in detector);
const searchTerms = createTermSearch(DETECTORS.filter((detector) => 'terms' in detector));

/** What hides something may itself be hidden so often. */
const MAX_DEPTH = 2;

export interface TextOptions {
  /** What is known of the text already. */
  readonly given: readonly Finding[];
  /** Units looked at between two yields. */
  readonly window: number;
}

/** Findings between two yields. */
const STRETCH = 1_000;

/** Units of a text that a detector alone makes a stretch of work of. */
const LONG = 4_096;

const byStart = (a: Finding, b: Finding): number => a.start - b.start;

/** Lists of findings in one normalised text, each ordered by place: the values, and the phrases of each code. */
export function* searchTextInSteps(
  text: SourceText,
  { given, window }: TextOptions,
  depth = 0,
): Generator<void, Finding[][]> {
  const traits = yield* traitsInSteps(text.text);
  const early = [...given];
  yield* searchWhole(text, traits, early);
  if (depth < MAX_DEPTH) yield* searchHidden(text, window, depth, early);
  return yield* searchInWindows(text, traits, yield* sortInSteps(early, byStart), window);
}

/** Adds what is found by the detectors that need the whole text. */
function* searchWhole(
  { source, text }: SourceText,
  traits: TextTraits,
  findings: Finding[],
): Generator<void, void> {
  for (const detector of WHOLES) {
    if (!isFor(detector, source) || detector.mayFind?.(traits) === false) continue;
    for (const find of yield* detector.searchInSteps(text, source)) {
      if (findings.push(placed(find, detector, source)) % STRETCH === 0) yield;
    }
    if (text.length > LONG) yield;
  }
}

/** Adds what is found in the texts that this one hides, at the places that hide it. */
function* searchHidden(
  { source, text }: SourceText,
  window: number,
  depth: number,
  findings: Finding[],
): Generator<void, void> {
  for (const hidden of yield* hiddenTextsInSteps(text, depth > 0)) {
    const inside = { source, text: hidden.text };
    const below = hidden.nested ? depth + 1 : MAX_DEPTH;
    const lists = yield* searchTextInSteps(inside, { given: [], window }, below);
    // A long text may hide tens of thousands of short ones.
    yield;
    let seen = 0;
    for (const list of lists) {
      for (const finding of list) {
        if (++seen % STRETCH === 0) yield;
        if (hidden.ordersOnly && finding.entity !== null) continue;
        const { code, entity, detector, version, confidence } = finding;
        const { start, end } = hidden.places.across(finding.start, finding.end);
        findings.push({ code, entity, detector, version, source, start, end, confidence });
      }
    }
  }
}

/** Lets every detector look at one window after the other. `early`: findings to join, ordered by place. */
function* searchInWindows(
  { source, text }: SourceText,
  traits: TextTraits,
  early: readonly Finding[],
  window: number,
): Generator<void, Finding[][]> {
  const found: Found = { values: createOverlapResolver(), phrases: new Map() };
  const push = (detector: Detector, find: Candidate): void => {
    if (isFor(detector, source)) add(found, placed(find, detector, source));
  };
  const searches = SEARCHES.filter(
    (detector) => isFor(detector, source) && detector.mayFind?.(traits) !== false,
  ).map((detector) => ({ detector, search: detector.search(text) }));
  const walkTerms = searchTerms(text, push, source);
  let joined = 0;
  for (let until = 0; until < text.length; ) {
    if (until > 0) yield;
    until = Math.min(until + window, text.length);
    while (joined < early.length && early[joined]!.start < until) {
      add(found, early[joined++]!);
      if (joined % STRETCH === 0) yield;
    }
    walkTerms(until);
    for (const { detector, search } of searches) for (const find of search(until)) push(detector, find);
    const settled = until === text.length ? Infinity : until - REACH_BACK;
    yield* found.values.settleInSteps(settled);
    for (const resolver of found.phrases.values()) yield* resolver.settleInSteps(settled);
  }
  return [found.values.kept, ...[...found.phrases.values()].map(({ kept }) => kept)];
}
