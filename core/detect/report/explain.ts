import type { Suppression } from '#schemas/ledger/signal.v3.ts';
import type { ViolationCode } from '#schemas/vocabulary.ts';
import type { Match } from '../find/match.ts';
import type { Assessment } from '../judge/assess.ts';
import { JUDGE } from '../judge/judged.ts';
import type { Rating } from '../judge/severity.ts';
import type { SourceText, TextSource } from '../read/texts.ts';
import { placeholder, type RedactionSpan, redactionSpans, redactSpan } from './redact.ts';

/** Maximum length of an explanation, and so of a signal's reasoning. */
export const MAX_EXPLANATION = 2_000;
export const NOTHING_FOUND = 'Nothing was detected.';
const MAX_MASK = 40;
/** Maximum code units of a value that are masked; only custom rule hits are longer. */
const MAX_VALUE = 400;
const MAX_SHOWN_PER_SOURCE = 6;

const SOURCE_NAMES: Readonly<Record<TextSource, string>> = {
  prompt: 'prompt',
  response: 'response',
  thinkingBlock: 'thinking block',
  systemPrompt: 'system prompt',
  userInput: 'user input',
};

const PHRASES: Partial<Record<ViolationCode, string>> = {
  PROMPT_INJECTION: 'a phrase that tries to override the instructions',
  JAILBREAK_ATTEMPT: 'a phrase that tries to disable the safeguards',
  SYSTEM_PROMPT_EXTRACTION: 'a phrase that requests or reveals the system prompt',
  GOAL_HIJACKING: 'text that gives the agent a different goal',
  AGENT_LOOP: 'a step that is repeated many times',
  IRREVERSIBLE_ACTION: 'an action that cannot be undone',
  SCOPE_CREEP: 'a description of more than was requested',
  PRIVILEGE_ESCALATION: 'an attempt to gain more privileges',
  XSS: 'code that a browser would execute',
  CODE_INJECTION: 'code or commands that a program would execute',
  SSRF: 'an address that makes a server send a request',
  CSRF: 'a request forged in another user’s name',
  DANGEROUS_INSTRUCTIONS: 'dangerous instructions, requested or given',
  VIOLENT_CONTENT: 'a threat or a description of violence',
  SEXUAL_CONTENT: 'sexual content',
  CSAM: 'sexual material involving a minor',
  HATE_SPEECH: 'hate speech against a group',
  HARASSMENT: 'an insult, or a way to harass a person',
  SELF_HARM_FACILITATION: 'encouragement or methods of self-harm',
  RACIAL_BIAS: 'a judgement by race or origin',
  GENDER_BIAS: 'a judgement by gender',
  AGE_BIAS: 'a judgement by age',
  DISABILITY_BIAS: 'a judgement by disability',
  RELIGIOUS_BIAS: 'a judgement by religion',
  INTERSECTIONAL_BIAS: 'a judgement by a combination of traits',
  SYCOPHANCY: 'excessive praise or agreement',
  FAKE_CITATION: 'a reference that cannot exist as written',
  INVENTED_STATISTIC: 'a figure without a source',
  FALSE_CONFIDENCE: 'a claim of unfounded certainty',
  EXPERT_IMPERSONATION: 'a claim to be a professional',
  UNLICENSED_ADVICE: 'investment advice',
  INSIDER_TRADING: 'trading on non-public information',
  MARKET_MANIPULATION: 'a plan to manipulate a market',
  FRAUD: 'deception for financial gain',
  UNAUTHORIZED_LEGAL_ADVICE: 'legal advice on a specific case',
  COPYRIGHT: 'a copy of a protected work, requested or given',
  DEFAMATION: 'an accusation against a person',
};

const REASONS: Readonly<Record<NonNullable<Rating['raised']>, string>> = {
  SEVERAL_KINDS: 'raised one level because several kinds of personal data appear together',
  IN_RESPONSE: 'raised one level because the response contains personal data',
  GIVEN_IN_RESPONSE: 'raised one level because the response gives the instructions',
};

const noHash = (): string => '';

/** Truncates without splitting a surrogate pair. */
function shorten(masked: string): string {
  const characters = Array.from(masked);
  return characters.length <= MAX_MASK ? masked : `${characters.slice(0, MAX_MASK).join('')}...`;
}

/** "EMAIL j***@example.com"; a full placeholder already names its type. */
function describeValue(text: string, span: RedactionSpan): string {
  const end = Math.min(span.end, span.start + MAX_VALUE);
  const masked = redactSpan(text, { ...span, end }, 'PARTIAL', noHash);
  return masked === placeholder(span.entity) ? masked : `${span.entity} ${shorten(masked)}`;
}

function describePhrase({ code, detector, ruleIndex, start, end }: Match): string {
  // A judge's hit covers the whole text, so there is no span to name and nothing to quote.
  if (detector === JUDGE.name) {
    return `${ruleIndex === undefined ? code : `custom rule ${ruleIndex + 1}`}, judged by the language model`;
  }
  return `${PHRASES[code] ?? code} (characters ${start} to ${end})`;
}

function describeSource({ source, text }: SourceText, matches: readonly Match[]): string[] {
  const phrases: Match[] = [];
  const values: Match[] = [];
  let valueSpans = 0;
  let found = 0;
  let end = 0;
  // Masks only what is shown: a long text can contain hundreds of thousands of values.
  for (const match of matches) {
    if (match.source !== source) continue;
    const isValue = match.entity !== null;
    const isNewSpan = isValue && match.start >= end;
    if (isValue) end = Math.max(end, match.end);
    if (isNewSpan) valueSpans++;
    if (isNewSpan || !isValue) found++;
    if (isValue && valueSpans <= MAX_SHOWN_PER_SOURCE) values.push(match);
    if (!isValue && phrases.length < MAX_SHOWN_PER_SOURCE) phrases.push(match);
  }
  if (found === 0) return [];
  const spans = redactionSpans(values).map((span) => describeValue(text, span));
  const shown = [...phrases.map(describePhrase), ...spans].slice(0, MAX_SHOWN_PER_SOURCE);
  const more = found - shown.length;
  return [
    `Detected in the ${SOURCE_NAMES[source]}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}

/**
 * One sentence per text about its matches. Values are partially masked, secrets are hidden, and attack phrases are only
 * located. `texts` are the texts that the matches refer to.
 */
export const describeMatches = (texts: readonly SourceText[], matches: readonly Match[]): string[] =>
  texts.flatMap((text) => describeSource(text, matches));

/** A sentence with the number of matches that the sandbox's settings suppressed; empty if there were none. */
export function describeSuppressed(suppressed: readonly Suppression[]): string[] {
  const count = suppressed.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return [];
  const reasons = [...new Set(suppressed.map(({ reason }) => reason))].join(', ');
  return [
    `The settings of this sandbox suppressed ${count} ${count === 1 ? 'match' : 'matches'} (${reasons}).`,
  ];
}

function explainLevel(rating: Rating): string {
  if (rating.decidedBy === null) return 'Risk is LOW: this sandbox does not report what was detected.';
  const reason = rating.raised === null ? '' : `; ${REASONS[rating.raised]}`;
  return `Risk is ${rating.level} because of ${rating.decidedBy}${reason}.`;
}

/**
 * A signal's explanation for people: the level and its reason, the matches with their locations, and what they concern.
 * At most `MAX_EXPLANATION` characters.
 */
export function explain(
  texts: readonly SourceText[],
  matches: readonly Match[],
  assessment: Assessment,
  notes: readonly string[] = [],
): string {
  if (matches.length === 0) return joinSentences([NOTHING_FOUND, ...notes]);
  const { violations, unreported, regulation } = assessment;
  const sentences = [explainLevel(assessment.rating), ...notes, ...describeMatches(texts, matches)];
  if (violations.length > 0) sentences.push(`Reported: ${violations.join(', ')}.`);
  if (unreported.length > 0)
    sentences.push(`Detected but not reported by this sandbox: ${unreported.join(', ')}.`);
  if (regulation.length > 0) sentences.push(`Relevant regulations: ${regulation.join(', ')}.`);
  return joinSentences(sentences);
}

/** Joins as many whole sentences as fit the limit. */
export function joinSentences(sentences: readonly string[]): string {
  let text = '';
  for (const sentence of sentences) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (longer.length > MAX_EXPLANATION) break;
    text = longer;
  }
  return text;
}
