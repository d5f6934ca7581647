import type { Suppression } from '#schemas/ledger/signal.v3.ts';
import { Borders } from './find/borders/borders.ts';
import { type CompiledRules, compileRules, findCustomRules, NO_RULES } from './find/custom-rules.ts';
import { WHOLE_TEXT_STAGES } from './find/detector.ts';
import { libraryCalls } from './find/library-calls.ts';
import type { Match } from './find/match.ts';
import type { Span } from './find/patterns/forward.ts';
import { DETECTOR_RELEASE, DETECTORS } from './find/search/detectors.ts';
import { addReadings, type Reading } from './find/search/reading.ts';
import {
  isFor,
  located,
  searchReadings,
  searchTerms,
  searchWhole,
  settle,
  WHOLE_TEXT_DETECTORS,
} from './find/search/search.ts';
import { finish } from './find/steps.ts';
import { merge } from './judge/merge.ts';
import type { CompiledSettings } from './judge/settings/detection-settings.ts';
import { SuppressedCounts, withoutAllowed, withoutOff } from './judge/settings/suppress.ts';
import { readEscapes, type UnescapedText } from './read/escapes/read-escapes.ts';
import { normalise, type ReadText } from './read/normalise/normalise.ts';
import { SAME_OFFSETS } from './read/normalise/offset-map.ts';
import type { SourceText, TextSource } from './read/texts.ts';

export { DETECTOR_RELEASE };

/** The texts of an audit, with its sandbox's compiled rules and settings. */
export interface Audit {
  /** At most one text per source. */
  readonly texts: readonly SourceText[];
  readonly rules?: CompiledRules;
  readonly settings?: CompiledSettings | null;
}

export interface Found {
  readonly matches: Match[];
  /** Matches that the sandbox's settings suppressed. */
  readonly suppressed: readonly Suppression[];
}

const NOTHING_SUPPRESSED: readonly Suppression[] = [];

/** The stages of detection, in order. */
export const DETECT_STAGES = [
  'normalise',
  'exchange',
  'hidden',
  ...WHOLE_TEXT_STAGES,
  'terms',
  'offsets',
  'overlaps',
  'rules',
] as const;
type DetectStage = (typeof DETECT_STAGES)[number];

const CUSTOM_RULES = { name: 'custom-rules', version: 3 } as const;

const ruleHit = ({ start, end }: Span, ruleIndex: number, source: TextSource): Match => ({
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

/** A text of an audit on its way through the stages. */
interface Sent extends SourceText {
  readonly read: ReadText;
  /** Normalised, as detectors read it. */
  readonly plain: SourceText;
  /** With escape sequences resolved, as value detectors read it; null if the text has none. */
  readonly unescaped: UnescapedText | null;
  readonly compared: Match[];
}

interface Exchange {
  readonly rules: CompiledRules;
  readonly settings: CompiledSettings | null;
  readonly texts: readonly Sent[];
}

function exchangeOf({ texts, rules = NO_RULES, settings = null }: Audit): Exchange {
  const sent = texts.map(({ source, text }): Sent => {
    const read = normalise(text);
    const plain = { source, text: read.text };
    return { source, text, read, plain, unescaped: readEscapes(text), compared: [] };
  });
  return { rules, settings, texts: sent };
}

const EXCHANGES = DETECTORS.filter((detector) => 'compare' in detector);

/** Runs the detectors that compare an audit's texts with each other. */
function compare(exchanges: readonly Exchange[]): void {
  for (const detector of EXCHANGES) {
    for (const { texts } of exchanges) {
      for (const candidate of detector.compare(texts.map(({ plain }) => plain))) {
        if (!isFor(detector, candidate.source)) continue;
        const compared = texts.find(({ source }) => source === candidate.source)?.compared;
        compared?.push(located(candidate, detector, candidate.source));
      }
    }
  }
}

/** Maps the matches to offsets in the original text. Of two matches that share a character, the first one stays. */
function atOriginalOffsets(list: readonly Match[], { offsets }: ReadText): readonly Match[] {
  if (offsets === SAME_OFFSETS) return list;
  const moved: Match[] = [];
  let end = 0;
  for (const match of list) {
    const span = offsets.across(match.start, match.end);
    if (span.start < end) continue;
    end = span.end;
    const { code, entity, detector, version, source, confidence } = match;
    moved.push({ code, entity, detector, version, source, start: span.start, end: span.end, confidence });
  }
  return moved;
}

/**
 * Finds personal data, secrets, attacks and custom rule hits in each audit. Each stage runs over all audits before the
 * next one starts, which keeps its code and tables in the CPU caches and halves the time. Every step yields the stage
 * that it completed. The result for an audit depends neither on the other audits nor on work done between steps.
 *
 * An audit's matches are ordered by text, then by `start`. Detectors' values (matches with an entity) never overlap
 * each other. A custom rule's hit or an attack's phrase may overlap a value or another hit, so neither hides the other.
 * Pure: the same texts give the same matches. Linear in the length of the texts.
 */
export function* detectInSteps(audits: readonly Audit[]): Generator<DetectStage, Found[]> {
  const exchanges = audits.map(exchangeOf);
  yield 'normalise';
  compare(exchanges);
  yield 'exchange';
  const readings: Reading[] = [];
  const readingsOf = new Map<Sent, SentReadings>();
  for (const { texts } of exchanges) for (const sent of texts) readingsOf.set(sent, read(sent, readings));
  yield 'hidden';
  for (const detector of WHOLE_TEXT_DETECTORS) {
    searchWhole(readings, detector);
    yield detector.name;
  }
  searchTerms(readings);
  yield 'terms';
  searchReadings(readings);
  yield 'offsets';
  const found = settle(readings);
  yield 'overlaps';
  const all = exchanges.map((exchange) => foundIn(exchange, readingsOf, found));
  yield 'rules';
  return all;
}

/** Runs all steps of `detectInSteps`; suppressed matches are omitted. */
export const detectAll = (audits: readonly Audit[]): Match[][] =>
  finish(detectInSteps(audits)).map(({ matches }) => matches);

/** The readings of an original text, each with its offsets. */
type SentReadings = readonly (readonly [Reading, ReadText])[];

function read(sent: Sent, readings: Reading[]): SentReadings {
  const { source, plain, unescaped, compared } = sent;
  const reading = addReadings(readings, plain, libraryCalls(), unescaped === null ? 'ALL' : 'PHRASES');
  reading.early.push(...compared);
  if (unescaped === null) return [[reading, sent.read]];
  const values = addReadings(readings, { source, text: unescaped.text }, libraryCalls(), 'VALUES');
  return [
    [reading, sent.read],
    [values, unescaped],
  ];
}

/**
 * A reading's matches without those that the sandbox's settings suppress. Values are compared as detectors read them.
 */
function passed(
  reading: Reading,
  lists: readonly (readonly Match[])[],
  settings: CompiledSettings,
  counts: SuppressedCounts,
): readonly (readonly Match[])[] {
  const on = withoutOff(reading, lists, settings, counts);
  return on.map((list) => withoutAllowed(list, reading.text, settings, counts));
}

/** An audit's detector matches after suppression, merged with its custom rule hits. */
function foundIn(
  { texts, rules, settings }: Exchange,
  readingsOf: ReadonlyMap<Sent, SentReadings>,
  found: ReadonlyMap<Reading, readonly (readonly Match[])[]>,
): Found {
  const matches: Match[] = [];
  const counts = settings === null ? null : new SuppressedCounts();
  for (const sent of texts) {
    const { source, text, unescaped } = sent;
    const readings = readingsOf.get(sent)!;
    if (rules.count === 0 && readings.every(([reading]) => found.get(reading)!.length === 0)) continue;
    const lists = readings.flatMap(([reading, offsets]) => {
      const reported =
        counts === null ? found.get(reading)! : passed(reading, found.get(reading)!, settings!, counts);
      return reported.map((list) => atOriginalOffsets(list, offsets));
    });
    const hits = rules.count === 0 ? [] : findCustomRules(text, rules, unescaped ?? sent.read);
    const ruleHits = hits.map((spans, ruleIndex) => spans.map((span) => ruleHit(span, ruleIndex, source)));
    const borders = new Borders(text, unescaped?.escapes ?? null);
    merge(
      [...lists, ...ruleHits].map((list) => borders.fitted(list)),
      matches,
    );
  }
  return { matches, suppressed: counts === null ? NOTHING_SUPPRESSED : counts.list() };
}

interface DetectOptions {
  readonly customRules?: readonly string[];
}

export function detect(texts: readonly SourceText[], { customRules = [] }: DetectOptions = {}): Match[] {
  return detectAll([{ texts, rules: compileRules(customRules) }])[0]!;
}
