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

/** Maximum number of hits of one rule in one text; the last one extends to the end, so that none is left out. */
export const MAX_HITS = 1_000;
/** Steps of all patterns of a sandbox together: the maximum cost of one character of a text grows with them. */
const MAX_PATTERN_STEPS = 2_000;

const FLAGS = 'imsu';

/** The text between the slashes of `/.../flags`, and the flags; null for words. */
export function asPattern(rule: string): { readonly source: string; readonly flags: string } | null {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/is.exec(rule.trim()) ?? [];
  if (source === undefined || flags === undefined) return null;
  // "/etc/passwd" and "/usr/bin" are file names: their endings are not the flags of any regular expression engine.
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
 * True for a rule that says in a sentence what to look out for ("Do not promise refunds."), so that judging it takes an
 * understanding of the text. False for a pattern, for a name ("Bank of Ireland", "Acme Inc.") and for words that are
 * only searched for. A sentence has two words or more and ends like one, or has at least four words; and one of its
 * words, other than the connectors in names, begins with a small letter. In a script without capitals or blanks a
 * sentence has eight characters or more. When in doubt it is a sentence: it is searched for literally all the same.
 */
export function isSentence(rule: string): boolean {
  const text = rule.trim();
  if (asPattern(text) !== null) return false;
  if (/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmer}\p{scx=Laoo}\p{scx=Mymr}]/u.test(text)) {
    return Array.from(text).length >= SENTENCE_CHARACTERS;
  }
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const enough = /[.!?\u2026\u061f\u0964][\s"'\u2019\u201d)]*$/u.test(text) ? 2 : SENTENCE_WORDS;
  const saysSomething = words.some(
    (word) =>
      /^[^\p{L}]*[\p{Ll}\p{Lo}]/u.test(word) &&
      !CONNECTORS.has(word.toLowerCase().replaceAll(/[^\p{L}]/gu, '')),
  );
  return words.length >= enough && saysSomething;
}

interface RuleFault {
  /** Index of the rule in the list, from 0. */
  readonly index: number;
  readonly message: string;
}

const TOO_LARGE = 'the patterns of this sandbox are too large together; use fewer or shorter ones';

/**
 * What is wrong with a sandbox's custom rules, in words for their author; empty when all of them can be run. A rule is
 * a pattern (`/.../flags`, flags i, m, s, u) or words, which are searched for literally. A sentence counts as words
 * too: judging what it asks for takes a reader.
 */
export const faultsOfRules = (rules: readonly string[]): RuleFault[] => finish(faultsInSteps(rules));

/** The same; yields after each pattern, because one may take a millisecond, and a list has fifty. */
export function* faultsInSteps(rules: readonly string[]): Generator<void, RuleFault[]> {
  const faults: RuleFault[] = [];
  let steps = 0;
  for (const [index, rule] of rules.entries()) {
    if (rule.trim() === '') faults.push({ index, message: 'the rule must not be blank' });
    const pattern = asPattern(rule);
    if (pattern === null) continue;
    try {
      // A list that exceeds the limit anyway is not compiled any further.
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
  /** Words are searched for in case-folded texts, patterns in the text itself. */
  readonly kind: 'WORDS' | 'PATTERN';
  readonly find: HitFinder;
  /** Words only: the same words as normalised texts contain them. */
  readonly findPlain?: HitFinder;
  /** What every hit holds, which is asked first; of words, nothing. */
  readonly needs: Needs;
}

/** The compiled rules of a sandbox, for searching any number of texts, also concurrently. */
export interface CompiledRules {
  /** How many rules the list has. */
  readonly count: number;
  readonly rules: readonly CompiledRule[];
  /** Steps of all patterns together: what a character of a text costs at most grows with them. */
  readonly patternSteps: number;
}

export const NO_RULES: CompiledRules = { count: 0, rules: [], patternSteps: 0 };

/** Null for a pattern that would be refused today: an earlier release treated it as words. */
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

/** The same; yields after each rule. */
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

/** Both lists in the order of the text, without hits that overlap an earlier one. */
function united(one: readonly Span[], other: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...one, ...other].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (kept.length === 0 || span.start >= kept.at(-1)!.end) kept.push(span);
  }
  return kept;
}

/**
 * The hits of each rule, by the rule's index in the list; those of one rule are ordered and do not overlap. Words are
 * found as whole words in any case, also when they are obfuscated by invisible characters or homoglyphs: `read` is the
 * text as detectors read it. Patterns apply to the text as it was sent. Linear in the text.
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
