import type { ViolationCode } from '#schemas/vocabulary.ts';
import type { TextSource } from '../read/texts.ts';
import type { AssertionContext, Sentences } from './assertion-context.ts';
import type { Candidate, TermDetector } from './detector.ts';
import { type Marker, markerOf } from './prefilter/marks.ts';
import { prefilteredAt } from './prefilter/prefilter.ts';

export interface PhraseMatch {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly source: TextSource;
  readonly sentences: Sentences;
}

/** 0 to 1; 0 if the phrase does not count. In a record by source, missing sources do not count. */
export type PhraseConfidence =
  | number
  | Readonly<Partial<Record<TextSource, number>>>
  | ((phrase: PhraseMatch) => number);

/** What an assertion context does to a match: suppresses it, or lowers its confidence to a hint. */
type ContextEffect = 'SILENT' | 'HINT';
type ContextEffects = Readonly<Partial<Record<AssertionContext, ContextEffect>>>;

export interface PhraseRule {
  readonly code: ViolationCode;
  /** Lower-case ASCII; the phrase starts with one of them, at the start of a word. */
  readonly triggers: readonly string[];
  /**
   * Sticky and case-insensitive; applied at the trigger's first character, or after the trigger. Quantifiers are
   * bounded.
   */
  readonly phrase: RegExp;
  /** True if `phrase` starts after the trigger. */
  readonly isTail?: boolean;
  readonly confidence: PhraseConfidence;
  /** Must precede the phrase in its sentence. Cheaper than a common word as a trigger. */
  readonly preceded?: Marker;
  /** By default, a negation suppresses the match. */
  readonly contexts?: ContextEffects;
}

/**
 * For this many code units after a match, the same code is not searched for again: it would add nothing, and a text
 * full of matches would take a second to read. The distance is shorter after a hint, because a match may follow soon.
 */
const QUIET_AFTER_MATCH = 200;
const QUIET_AFTER_HINT = 24;

/** Maximum confidence of a match that the sentence merely mentions. */
const HINT = 0.35;

/** The sources that the model wrote. */
export const MODEL_WRITTEN = ['response', 'thinkingBlock'] as const;

/** Confidences for requests and for answers. */
export const byRole = (requested: number, answered: number): Record<TextSource, number> => ({
  prompt: requested,
  userInput: requested,
  systemPrompt: requested,
  response: answered,
  thinkingBlock: answered,
});

const GAP = '(?:[\\s,"\'*_-]{1,4})';
/** Up to `count` words of any kind. */
export const words = (count: number): string => `(?:[\\p{L}\\d'’]{1,20}${GAP}){0,${count}}`;

/** Latin letters only, because V8 takes a hundred times as long to compile the Unicode property. */
const LETTERS = 'A-Za-z\u00c0-\u024f';

/**
 * Builds a phrase: a blank in `source` matches a gap, `\p{L}` a Latin letter, and the phrase ends at the end of a word.
 */
export const phrase = (source: string): RegExp => {
  const latin = `(?:${source.replaceAll(' ', GAP)})(?!\\p{L})`
    .replaceAll(/(\[[^\][\\]*)\\p\{Lu?\}/g, `$1${LETTERS}`)
    .replaceAll(/\\p\{Lu?\}/g, `[${LETTERS}]`);
  return new RegExp(latin, 'iy');
};
/** One of several words or patterns. */
export const oneOf = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

const SILENT_WHEN_NEGATED: ContextEffects = { NEGATED: 'SILENT' };

/** A rule for one code: one of the heads, followed by the tail (as in `phrase`). */
export function headed(
  code: ViolationCode,
  confidence: PhraseConfidence,
  heads: readonly string[],
  tail: string,
  contexts: ContextEffects = SILENT_WHEN_NEGATED,
): PhraseRule {
  return { code, confidence, triggers: heads, phrase: phrase(tail), isTail: true, contexts };
}

function confidenceAt(rule: PhraseRule, phrase: PhraseMatch): number {
  const { confidence } = rule;
  if (typeof confidence === 'number') return confidence;
  return typeof confidence === 'function' ? confidence(phrase) : (confidence[phrase.source] ?? 0);
}

function inContext(
  confidence: number,
  effects: ContextEffects,
  { sentences, start, end }: PhraseMatch,
): number {
  let result = confidence;
  for (const context of Object.keys(effects) as AssertionContext[]) {
    if (!sentences.isInContext(context, start, end)) continue;
    if (effects[context] === 'SILENT') return 0;
    result = Math.min(result, HINT);
  }
  return result;
}

/** The same rule, limited to sentences in which one of these words precedes it (a pattern; whole words, any case). */
export const after = (before: string, rule: PhraseRule): PhraseRule => ({
  ...rule,
  preceded: markerOf(new RegExp(`\\b${before}\\b`, 'i')),
});

/** End of the last match of a code, and the offset up to which the code is not searched for again. */
interface Quiet {
  readonly end: number;
  readonly quietUntil: number;
}

/** A trigger with the matcher of the phrase that starts with it. */
interface Trigger {
  readonly trigger: string;
  readonly rule: PhraseRule;
  readonly matchAt: ReturnType<typeof prefilteredAt>;
}

/** Searches one text for phrases. */
function phraseSearch(
  triggers: readonly Trigger[],
  text: string,
  push: (candidate: Candidate) => void,
  source: TextSource,
  sentences: Sentences,
) {
  let last: Map<ViolationCode, Quiet> | null = null;

  const visit = (term: number, start: number, termEnd: number): void => {
    const { rule, matchAt } = triggers[term]!;
    const known = last?.get(rule.code);
    if (known !== undefined && start >= known.end && start < known.quietUntil) return;
    const from = rule.isTail === true ? termEnd : start;
    const match = matchAt(text, from, sentences.marksOf);
    if (match === null) return;
    if (rule.preceded !== undefined && !sentences.saysBefore(rule.preceded, start)) return;
    const phrase = { text, start, end: from + match[0].length, source: source, sentences };
    const confidence = inContext(confidenceAt(rule, phrase), rule.contexts ?? SILENT_WHEN_NEGATED, phrase);
    if (confidence === 0) return;
    push({ code: rule.code, entity: null, start, end: phrase.end, confidence });
    const quiet = confidence > HINT ? QUIET_AFTER_MATCH : QUIET_AFTER_HINT;
    last ??= new Map();
    last.set(rule.code, { end: phrase.end, quietUntil: phrase.end + quiet });
  };
  return visit;
}

/** Creates a detector from a table of phrases. Each match covers its phrase and has no entity. */
export function phraseDetector(
  name: string,
  version: number,
  rules: readonly PhraseRule[],
  sources?: readonly TextSource[],
): TermDetector {
  const triggers = rules.flatMap((rule) => {
    const matchAt = prefilteredAt(rule.phrase);
    return rule.triggers.map((trigger) => ({ trigger, rule, matchAt }));
  });
  const detector: TermDetector = {
    name,
    version,
    terms: triggers.map(({ trigger }) => trigger),
    atWordStart: true,
    visitor: (text, push, source, sentences) => {
      return phraseSearch(triggers, text, push, source, sentences);
    },
  };
  return sources === undefined ? detector : { ...detector, sources };
}
