import type { ViolationCode } from '../../schemas/vocabulary.ts';
import { isWordUnit } from './characters.ts';
import type { TermDetector } from './detector.ts';
import type { Framing, Sentences } from './framing.ts';
import { type Marker, markerOf } from './sieve/marks.ts';
import { sievedAt } from './sieve/sieve.ts';
import type { TextSource } from './texts.ts';

/** Where a phrase stands. */
export interface PhrasePlace {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly source: TextSource;
  readonly sentences: Sentences;
}

/** 0 to 1; 0 where the phrase is no find. By source: the sources left out are no find. */
export type PhraseConfidence =
  | number
  | Readonly<Partial<Record<TextSource, number>>>
  | ((place: PhrasePlace) => number);

/** What a framing makes of a find: none, or one of low confidence. */
export type FramingEffect = 'SILENT' | 'HINT';
export type FramingEffects = Readonly<Partial<Record<Framing, FramingEffect>>>;

export interface PhraseRule {
  readonly code: ViolationCode;
  /** Lower-case ASCII; the phrase begins with one of them, at the start of a word. */
  readonly triggers: readonly string[];
  /** Sticky, any case, read from the trigger's first character, or from behind it; quantifiers bounded. */
  readonly phrase: RegExp;
  /** True where `phrase` is what stands behind the trigger. */
  readonly isTail?: boolean;
  readonly confidence: PhraseConfidence;
  /** What must stand before it in its sentence. Cheaper than a trigger that is a common word. */
  readonly preceded?: Marker;
  /** A negation silences unless this says otherwise. */
  readonly framings?: FramingEffects;
}

/**
 * So many units behind a find, the same code is not looked for again: it says nothing more, and a text of nothing else
 * would take a second to read. Behind a hint a find may follow soon.
 */
const QUIET_AFTER_FIND = 200;
const QUIET_AFTER_HINT = 24;

/** At most this sure of a find that its sentence only mentions. */
const HINT = 0.35;

/** What was asked of the model, or came with the question. */
export const ASKED = ['prompt', 'userInput', 'systemPrompt'] as const;
/** What the model gave. */
export const GIVEN = ['response', 'thinkingBlock'] as const;

/** Confidence in what was asked and in what was given. */
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

/** Letters of the Latin alphabet; the property of Unicode takes V8 a hundred times as long to compile. */
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

const SILENT_WHEN_NEGATED: FramingEffects = { NEGATED: 'SILENT' };

/** A rule of one code: any of its heads, and the tail (as in `phrase`) right behind it. */
export function headed(
  code: ViolationCode,
  confidence: PhraseConfidence,
  heads: readonly string[],
  tail: string,
  framings: FramingEffects = SILENT_WHEN_NEGATED,
): PhraseRule {
  return { code, confidence, triggers: heads, phrase: phrase(tail), isTail: true, framings };
}

function confidenceAt(rule: PhraseRule, place: PhrasePlace): number {
  const { confidence } = rule;
  if (typeof confidence === 'number') return confidence;
  return typeof confidence === 'function' ? confidence(place) : (confidence[place.source] ?? 0);
}

function framed(confidence: number, effects: FramingEffects, { sentences, start, end }: PhrasePlace): number {
  let result = confidence;
  for (const framing of Object.keys(effects) as Framing[]) {
    if (!sentences.isFramed(framing, start, end)) continue;
    if (effects[framing] === 'SILENT') return 0;
    result = Math.min(result, HINT);
  }
  return result;
}

/** The same rule where one of these words stands before it in its sentence (a pattern, whole words, any case). */
export const after = (before: string, rule: PhraseRule): PhraseRule => ({
  ...rule,
  preceded: markerOf(new RegExp(`\\b${before}\\b`, 'i')),
});

/** A detector out of a table of phrases. Each find marks its phrase and has no entity. */
export function phraseDetector(
  name: string,
  version: number,
  rules: readonly PhraseRule[],
  sources?: readonly TextSource[],
): TermDetector {
  const triggers = rules.flatMap((rule) => {
    const matchAt = sievedAt(rule.phrase);
    return rule.triggers.map((trigger) => ({ trigger, rule, matchAt }));
  });
  const detector: TermDetector = {
    name,
    version,
    terms: triggers.map(({ trigger }) => trigger),
    visitor: (text, push, source, sentences) => {
      const last = new Map<ViolationCode, { readonly end: number; readonly quietUntil: number }>();
      return (term, start, termEnd) => {
        const { trigger, rule, matchAt } = triggers[term]!;
        const known = last.get(rule.code);
        if (known !== undefined && start >= known.end && start < known.quietUntil) return;
        if (isWordUnit(trigger.charCodeAt(0)) && isWordUnit(text.charCodeAt(start - 1))) return;
        const from = rule.isTail === true ? termEnd : start;
        const match = matchAt(text, from, sentences.marksOf);
        if (match === null) return;
        if (rule.preceded !== undefined && !sentences.saysBefore(rule.preceded, start)) return;
        const place: PhrasePlace = { text, start, end: from + match[0].length, source, sentences };
        const confidence = framed(confidenceAt(rule, place), rule.framings ?? SILENT_WHEN_NEGATED, place);
        if (confidence === 0) return;
        push({ code: rule.code, entity: null, start, end: place.end, confidence });
        const quiet = confidence > HINT ? QUIET_AFTER_FIND : QUIET_AFTER_HINT;
        last.set(rule.code, { end: place.end, quietUntil: place.end + quiet });
      };
    },
  };
  return sources === undefined ? detector : { ...detector, sources };
}
