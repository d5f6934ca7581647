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
  WHOLES,
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

/** The texts of an audit, and the compiled rules and settings of its sandbox. */
export interface Audit {
  /** Each source once. */
  readonly texts: readonly SourceText[];
  readonly rules?: CompiledRules;
  readonly settings?: CompiledSettings | null;
}

/** What was found in an audit. */
export interface Found {
  readonly matches: Match[];
  /** What else was found, and suppressed by the sandbox's settings. */
  readonly suppressed: readonly Suppression[];
}

const NOTHING_SUPPRESSED: readonly Suppression[] = [];

/** Parts of detection, in their order. */
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
  /** As detectors read it. */
  readonly plain: SourceText;
  /** As detectors of values read it when it has escape sequences; null without any. */
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

/** Detectors that compare all texts of an audit with each other. */
function compare(exchanges: readonly Exchange[]): void {
  for (const detector of EXCHANGES) {
    for (const { texts } of exchanges) {
      for (const find of detector.compare(texts.map(({ plain }) => plain))) {
        if (!isFor(detector, find.source)) continue;
        const compared = texts.find(({ source }) => source === find.source)?.compared;
        compared?.push(located(find, detector, find.source));
      }
    }
  }
}

/**
 * The detectors' matches at their places in the text as it was sent. Of two values on the same character, the first
 * one stays.
 */
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
 * Finds personal data, secrets, attacks and hits of custom rules in each audit, stage by stage over the whole list: the
 * code and the tables of a stage stay in the processor's caches, which halves the time. What is found in an audit does
 * not depend on the others, nor on what else is searched between two steps: each ends with a stage, and yields it.
 *
 * The matches of an audit follow the order of its texts, then `start`. The detectors' values (matches with an entity)
 * never overlap; a custom rule's hit and an attack's phrase may overlap a value or each other, so that neither hides the
 * other. Pure: the same texts give the same matches. Linear in the length of the texts.
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
  for (const detector of WHOLES) {
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

/** All steps of `detectInSteps` at once, without what was suppressed. */
export const detectAll = (audits: readonly Audit[]): Match[][] =>
  finish(detectInSteps(audits)).map(({ matches }) => matches);

/** The readings of a text that was sent, with the places of each. */
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

/** What a sandbox's settings let pass of a reading's matches. Values are compared as they are read. */
function passed(
  reading: Reading,
  lists: readonly (readonly Match[])[],
  settings: CompiledSettings,
  counts: SuppressedCounts,
): readonly (readonly Match[])[] {
  const on = withoutOff(reading, lists, settings, counts);
  return on.map((list) => withoutAllowed(list, reading.text, settings, counts));
}

/** The detectors' matches of an audit that its settings let pass, together with the hits of its custom rules. */
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

/** The matches of one audit. */
export function detect(texts: readonly SourceText[], { customRules = [] }: DetectOptions = {}): Match[] {
  return detectAll([{ texts, rules: compileRules(customRules) }])[0]!;
}
