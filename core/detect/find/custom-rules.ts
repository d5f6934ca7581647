import { normalise, type ReadText } from '../read/normalise/normalise.ts';
import { SAME_OFFSETS } from '../read/normalise/offset-map.ts';
import words from './lists/connectors.json' with { type: 'json' };
import { PatternFault } from './patterns/fault.ts';
import type { Span } from './patterns/forward.ts';
import type { HitFinder } from './patterns/hits.ts';
import { foldedForLiterals } from './patterns/literals.ts';
import { hasNeeds, type Needs, NO_NEEDS, nearLiterals } from './patterns/needs.ts';
import { compilePattern, type Pattern } from './patterns/pattern.ts';
import { foldCase, phraseFinder } from './phrases.ts';
import { finish } from './steps.ts';

/** Maximum hits of one rule in one text. The last hit extends to the end, so that none is missed. */
export const MAX_HITS = 1_000;
/** Maximum steps of all patterns of a sandbox together, which bounds the work per character of a text. */
const MAX_PATTERN_STEPS = 2_000;

const FLAGS = 'imsu';

/** The source and flags of `/.../flags`; null for words. */
export function asPattern(rule: string): { readonly source: string; readonly flags: string } | null {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/is.exec(rule.trim()) ?? [];
  if (source === undefined || flags === undefined) return null;
  // "/etc/passwd" and "/usr/bin" are file names: their endings are not flags of any regular expression engine.
  return /^(?:[a-z]?|[dgimsuvxy]*)$/i.test(flags) ? { source, flags } : null;
}

/** Throws `PatternFault`. */
function compileRulePattern({ source, flags }: { readonly source: string; readonly flags: string }): Pattern {
  const isKnown = [...flags].every((flag, at) => FLAGS.includes(flag) && flags.indexOf(flag) === at);
  if (!isKnown) throw new PatternFault('its flags may be i, m, s and u, each once');
  return compilePattern(source, flags);
}

/** Small words that also occur inside names: "Bank of Ireland", "Ludwig van Beethoven". */
const CONNECTORS = new Set(words.connectors);
const SENTENCE_WORDS = 4;
/** In scripts without blanks between words, this many characters count as a sentence. */
const SENTENCE_CHARACTERS = 8;

/**
 * True for a rule that describes in a sentence what to look out for ("Do not promise refunds."), which only a judge can
 * decide. False for patterns, names ("Bank of Ireland", "Acme Inc.") and plain search words. A sentence has at least
 * two words and sentence punctuation, or at least four words; and one of its words, other than the connectors in names,
 * starts with a lower-case letter. In a script without capitals or blanks, eight characters count as a sentence. When
 * in doubt it is a sentence, which is searched for literally anyway.
 */
export function isSentence(rule: string): boolean {
  const text = rule.trim();
  if (asPattern(text) !== null) return false;
  if (/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmer}\p{scx=Laoo}\p{scx=Mymr}]/u.test(text)) {
    return Array.from(text).length >= SENTENCE_CHARACTERS;
  }
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const enough = /[.!?\u2026\u061f\u0964][\s"'\u2019\u201d)]*$/u.test(text) ? 2 : SENTENCE_WORDS;
  const hasWord = words.some(
    (word) =>
      /^[^\p{L}]*[\p{Ll}\p{Lo}]/u.test(word) &&
      !CONNECTORS.has(word.toLowerCase().replaceAll(/[^\p{L}]/gu, '')),
  );
  return words.length >= enough && hasWord;
}

interface RuleFault {
  /** Zero-based index of the rule in the list. */
  readonly index: number;
  readonly message: string;
}

const TOO_LARGE = 'the patterns of this sandbox are too large together; use fewer or shorter ones';

/**
 * The faults of a sandbox's custom rules, worded for their author; empty if all rules are valid. A rule is a pattern
 * (`/.../flags`, flags i, m, s, u) or words, which are searched for literally. Sentences count as words too, because
 * only a judge can apply them.
 */
export const faultsOfRules = (rules: readonly string[]): RuleFault[] => finish(faultsInSteps(rules));

/** Like `faultsOfRules`, but yields after each pattern: one may take a millisecond, and a list has up to fifty. */
export function* faultsInSteps(rules: readonly string[]): Generator<void, RuleFault[]> {
  const faults: RuleFault[] = [];
  let steps = 0;
  for (const [index, rule] of rules.entries()) {
    if (rule.trim() === '') faults.push({ index, message: 'the rule must not be blank' });
    const pattern = asPattern(rule);
    if (pattern === null) continue;
    try {
      // Stops compiling once the list exceeds the limit.
      if (steps <= MAX_PATTERN_STEPS) steps += compileRulePattern(pattern).size;
      if (steps > MAX_PATTERN_STEPS) faults.push({ index, message: TOO_LARGE });
    } catch (error) {
      if (!(error instanceof PatternFault)) throw error;
      faults.push({ index, message: `invalid pattern: ${error.message}` });
    }
    yield;
  }
  return faults;
}

interface CompiledRule {
  readonly ruleIndex: number;
  /** Words are searched for in case-folded texts, patterns in the original text. */
  readonly kind: 'WORDS' | 'PATTERN';
  readonly find: HitFinder;
  /** Words only: finds the same words as they appear in normalised texts. */
  readonly findPlain?: HitFinder;
  /** What every hit of a pattern contains, which is checked first; empty for words. */
  readonly needs: Needs;
}

/** A sandbox's compiled rules, which can search any number of texts, even concurrently. */
export interface CompiledRules {
  /** Number of rules in the list. */
  readonly count: number;
  readonly rules: readonly CompiledRule[];
  /** Steps of all patterns together, which bound the work per character of a text. */
  readonly patternSteps: number;
}

export const NO_RULES: CompiledRules = { count: 0, rules: [], patternSteps: 0 };

/** Null for a pattern that is invalid today: an earlier release treated it as words. */
function patternOf(rule: string): Pattern | null {
  const pattern = asPattern(rule);
  try {
    return pattern === null ? null : compileRulePattern(pattern);
  } catch (error) {
    if (error instanceof PatternFault) return null;
    throw error;
  }
}

export const compileRules = (rules: readonly string[]): CompiledRules => finish(compileRulesInSteps(rules));

/** Yields after each rule. */
export function* compileRulesInSteps(rules: readonly string[]): Generator<void, CompiledRules> {
  const compiled: CompiledRule[] = [];
  let patternSteps = 0;
  for (const [ruleIndex, rule] of rules.entries()) {
    if (ruleIndex > 0) yield;
    const pattern = patternOf(rule);
    const words = foldCase(rule.trim());
    if (pattern !== null) {
      compiled.push({ ruleIndex, kind: 'PATTERN', find: pattern.find, needs: pattern.needs });
      patternSteps += pattern.size;
    } else if (words !== '') {
      const plain = foldCase(normalise(rule.trim()).text);
      const findPlain = phraseFinder(plain === '' ? words : plain);
      compiled.push({ ruleIndex, kind: 'WORDS', find: phraseFinder(words), findPlain, needs: NO_NEEDS });
    }
  }
  return { count: rules.length, rules: compiled, patternSteps };
}

/** Merges both lists in text order, dropping hits that overlap an earlier one. */
function united(one: readonly Span[], other: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...one, ...other].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (kept.length === 0 || span.start >= kept.at(-1)!.end) kept.push(span);
  }
  return kept;
}

/**
 * The hits of each rule, by its index in the list; a rule's hits are ordered and do not overlap. Words match as whole
 * words in any case, even if obfuscated by invisible characters or homoglyphs, because `read` is the normalised text.
 * Patterns apply to the original text. Linear in the text.
 */
export function findCustomRules(
  text: string,
  { count, rules }: CompiledRules,
  read: ReadText = { text, offsets: SAME_OFFSETS },
): Span[][] {
  const hits = Array.from({ length: count }, (): Span[] => []);
  const hasWords = rules.some(({ kind }) => kind === 'WORDS');
  const folded = foldCase(text);
  const literals = foldedForLiterals(folded);
  const plain = hasWords && read.offsets !== SAME_OFFSETS ? foldCase(read.text) : null;
  for (const { ruleIndex, kind, find, findPlain, needs } of rules) {
    if (!hasNeeds(literals, needs)) continue;
    const found = find(kind === 'WORDS' ? folded : text, MAX_HITS, nearLiterals(literals, needs));
    const hidden = plain === null || findPlain === undefined ? [] : findPlain(plain, MAX_HITS);
    hits[ruleIndex] =
      hidden.length === 0
        ? found
        : united(
            found,
            hidden.map(({ start, end }) => read.offsets.across(start, end)),
          );
  }
  return hits;
}
