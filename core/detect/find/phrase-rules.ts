import type { ViolationCode } from '#schemas/vocabulary.ts';
import type { TextSource } from '../read/texts.ts';
import type { AssertionContext, Sentences } from './assertion-context.ts';
import type { Candidate, TermDetector } from './detector.ts';
import { type Marker, markerOf } from './prefilter/marks.ts';
import { prefilteredAt } from './prefilter/prefilter.ts';

/** Where a phrase is. */
export interface PhraseMatch {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly source: TextSource;
  readonly sentences: Sentences;
}

/** 0 to 1; 0 where the phrase does not count. By source: sources left out do not count. */
export type PhraseConfidence =
  | number
  | Readonly<Partial<Record<TextSource, number>>>
  | ((phrase: PhraseMatch) => number);

/** The effect of an assertion context on a match: none is reported, or one of low confidence. */
type ContextEffect = 'SILENT' | 'HINT';
type ContextEffects = Readonly<Partial<Record<AssertionContext, ContextEffect>>>;

export interface PhraseRule {
  readonly code: ViolationCode;
  /** Lower-case ASCII; the phrase begins with one of them, at the start of a word. */
  readonly triggers: readonly string[];
  /** Sticky, case-insensitive, read from the trigger's first character, or from after it; quantifiers bounded. */
  readonly phrase: RegExp;
  /** True when `phrase` is what follows the trigger. */
  readonly isTail?: boolean;
  readonly confidence: PhraseConfidence;
  /** What must precede it in its sentence. Cheaper than a trigger that is a common word. */
  readonly preceded?: Marker;
  /** A negation suppresses the match unless this says otherwise. */
  readonly contexts?: ContextEffects;
}

/**
 * For this many code units after a finding, the same code is not searched for again: it would add nothing, and a text
 * full of matches would take a second to read. After a hint a finding may follow soon.
 */
const QUIET_AFTER_FIND = 200;
const QUIET_AFTER_HINT = 24;

/** Maximum confidence in a match that its sentence only mentions. */
const HINT = 0.35;

/** What the model wrote. */
export const GIVEN = ['response', 'thinkingBlock'] as const;

/** Confidence for what was asked and for what was answered. */
export const byRole = (asked: number, given: number): Record<TextSource, number> => ({
  prompt: asked,
  userInput: asked,
  systemPrompt: asked,
  response: given,
  thinkingBlock: given,
});

const GAP = '(?:[\\s,"\'*_-]{1,4})';
/** Up to `count` words of any kind. */
export const words = (count: number): string => `(?:[\\p{L}\\d'’]{1,20}${GAP}){0,${count}}`;

/** Letters of the Latin alphabet; V8 takes a hundred times as long to compile the Unicode property. */
const LETTERS = 'A-Za-z\u00c0-\u024f';

/** A blank in `source` stands for a gap, `\p{L}` for a Latin letter; the phrase ends with a whole word. */
export const phrase = (source: string): RegExp => {
  const latin = `(?:${source.replaceAll(' ', GAP)})(?!\\p{L})`
    .replaceAll(/(\[[^\][\\]*)\\p\{Lu?\}/g, `$1${LETTERS}`)
    .replaceAll(/\\p\{Lu?\}/g, `[${LETTERS}]`);
  return new RegExp(latin, 'iy');
};
/** One of several words or patterns. */
export const oneOf = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

const SILENT_WHEN_NEGATED: ContextEffects = { NEGATED: 'SILENT' };

/** A rule for one code: any of its heads, with the tail (as in `phrase`) right after it. */
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

/** The same rule, only after one of these words in its sentence (a pattern, whole words, any case). */
export const after = (before: string, rule: PhraseRule): PhraseRule => ({
  ...rule,
  preceded: markerOf(new RegExp(`\\b${before}\\b`, 'i')),
});

/** Where the last find of a code ended, and until where the code is not searched for again. */
interface Quiet {
  readonly end: number;
  readonly quietUntil: number;
}

/** A trigger, and how the phrase that begins with it is matched. */
interface Trigger {
  readonly trigger: string;
  readonly rule: PhraseRule;
  readonly matchAt: ReturnType<typeof prefilteredAt>;
}

/** Looks for the phrases of one text. */
function phraseSearch(
  triggers: readonly Trigger[],
  text: string,
  push: (find: Candidate) => void,
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
    const quiet = confidence > HINT ? QUIET_AFTER_FIND : QUIET_AFTER_HINT;
    last ??= new Map();
    last.set(rule.code, { end: phrase.end, quietUntil: phrase.end + quiet });
  };
  return visit;
}

/** A detector from a table of phrases. Each match is its phrase and has no entity. */
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
