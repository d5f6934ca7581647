import type { ViolationCode } from '#schemas/vocabulary.ts';
import { type Candidate, type Detector, REACH_BACK, type TextTraits, traitsInSteps } from '../detector.ts';
import { DETECTORS } from '../detectors.ts';
import type { Finding } from '../finding.ts';
import { hiddenTextsInSteps } from '../read/decode/hidden-texts.ts';
import type { SourceText, TextSource } from '../read/texts.ts';
import { type LibraryCalls, libraryCalls } from './library-calls.ts';
import { createOverlapResolver, type OverlapResolver } from './overlap.ts';
import { sortInSteps } from './sort.ts';
import { createTermSearch } from './term-search.ts';

/** The detectors' findings: values, which never overlap, and the phrases of each attack, which do not either. */
interface Found {
  readonly values: OverlapResolver<Finding>;
  /** One finding per code and span: two overlapping phrases of the same attack are one. */
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

/** Written out, because copying objects of unknown shape would dominate the time for a text full of findings. */
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

/** How many levels of hidden texts inside hidden texts are read. */
const MAX_DEPTH = 2;

interface TextOptions {
  /** Findings in the text that are known already. */
  readonly given: readonly Finding[];
  /** Code units scanned between two yields. */
  readonly window: number;
  /** Shared with the texts that this one hides. */
  readonly calls?: LibraryCalls;
}

/** Findings between two yields. */
const STRETCH = 1_000;

/** From this length on a single detector takes a whole time slice. */
const LONG = 4_096;

const byStart = (a: Finding, b: Finding): number => a.start - b.start;

/** Lists of findings in one normalised text, each ordered by place: the values, and the phrases of each code. */
export function* searchTextInSteps(
  text: SourceText,
  { given, window, calls = libraryCalls() }: TextOptions,
  depth = 0,
): Generator<void, Finding[][]> {
  const traits = yield* traitsInSteps(text.text);
  const early = [...given];
  yield* searchWhole(text, traits, early);
  if (depth < MAX_DEPTH) yield* searchHidden(text, { window, calls }, depth, early);
  return yield* searchInWindows(text, traits, { given: yield* sortInSteps(early, byStart), window, calls });
}

/** Adds the findings of detectors that need the whole text. */
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

/** Adds the findings in the texts hidden in this one, at the places that hide them. */
function* searchHidden(
  { source, text }: SourceText,
  options: Omit<Required<TextOptions>, 'given'>,
  depth: number,
  findings: Finding[],
): Generator<void, void> {
  for (const hidden of yield* hiddenTextsInSteps(text, depth > 0)) {
    const inside = { source, text: hidden.text };
    const below = hidden.nested ? depth + 1 : MAX_DEPTH;
    const lists = yield* searchTextInSteps(inside, { ...options, given: [] }, below);
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

/** Runs every detector on one window after the other. `given`: findings to add, ordered by place. */
function* searchInWindows(
  { source, text }: SourceText,
  traits: TextTraits,
  { given: early, window, calls }: Required<TextOptions>,
): Generator<void, Finding[][]> {
  const found: Found = { values: createOverlapResolver(), phrases: new Map() };
  const push = (detector: Detector, find: Candidate): void => {
    if (isFor(detector, source)) add(found, placed(find, detector, source));
  };
  const searches = SEARCHES.filter(
    (detector) => isFor(detector, source) && detector.mayFind?.(traits) !== false,
  ).map((detector) => ({ detector, search: detector.search(text, calls) }));
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
