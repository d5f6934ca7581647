import type { ViolationCode } from '../../schemas/vocabulary.ts';
import type { Assessment } from './assess.ts';
import type { Finding, SourceText, TextSource } from './detect.ts';
import { placeholder, type RedactionSpan, redactionSpans, redactSpan } from './redact.ts';
import { type Rating, rate } from './severity.ts';

/** Characters of the whole explanation; a signal's reasoning is never longer. */
export const MAX_EXPLANATION = 2_000;
const MAX_MASK = 40;
const MAX_SHOWN_PER_SOURCE = 6;

const SOURCE_NAMES: Readonly<Record<TextSource, string>> = {
  prompt: 'prompt',
  response: 'response',
  thinkingBlock: 'thinking block',
  systemPrompt: 'system prompt',
  userInput: 'user input',
};

const PHRASES: Partial<Record<ViolationCode, string>> = {
  PROMPT_INJECTION: 'a phrase that tries to replace the instructions',
  JAILBREAK_ATTEMPT: 'a phrase that tries to switch off the safeguards',
  SYSTEM_PROMPT_EXTRACTION: 'a phrase that asks for the system prompt',
};

const REASONS: Readonly<Record<NonNullable<Rating['raised']>, string>> = {
  SEVERAL_KINDS: 'one level up because several kinds of personal data stand together',
  IN_RESPONSE: 'one level up because the response holds personal data',
  GIVEN_IN_RESPONSE: 'one level up because the response gives the instructions',
};

const noHash = (): string => '';

/** Cut without splitting a character in two. */
function shorten(masked: string): string {
  const characters = Array.from(masked);
  return characters.length <= MAX_MASK ? masked : `${characters.slice(0, MAX_MASK).join('')}...`;
}

/** "EMAIL j***@example.com"; a full placeholder names its type itself. */
function describeValue(text: string, span: RedactionSpan): string {
  const masked = redactSpan(text, span, 'PARTIAL', noHash);
  return masked === placeholder(span.entity) ? masked : `${span.entity} ${shorten(masked)}`;
}

function describePhrase({ code, start, end }: Finding): string {
  return `${PHRASES[code] ?? code} (characters ${start} to ${end})`;
}

function describeSource({ source, text }: SourceText, findings: readonly Finding[]): string[] {
  const here = findings.filter((finding) => finding.source === source);
  const phrases = here.filter((finding) => finding.entity === null).slice(0, MAX_SHOWN_PER_SOURCE);
  const spans = redactionSpans(here);
  // Only what is shown is masked: a long text can hold a hundred thousand values.
  const shown = [
    ...phrases.map(describePhrase),
    ...spans.slice(0, MAX_SHOWN_PER_SOURCE - phrases.length).map((span) => describeValue(text, span)),
  ];
  if (shown.length === 0) return [];
  const more = here.filter((finding) => finding.entity === null).length + spans.length - shown.length;
  return [`Found in the ${SOURCE_NAMES[source]}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}

function explainLevel(rating: Rating, level: Assessment['riskLevel']): string {
  if (rating.decidedBy === null) return 'Risk is LOW: the findings are outside what this sandbox reports.';
  const reason = rating.raised === null ? 'on its own' : REASONS[rating.raised];
  return `Risk is ${level}: ${rating.decidedBy} decides, ${reason}.`;
}

/**
 * Why a signal says what it says, in English, for people: the level with its reason, what was found where, and
 * what it concerns. Values are partially masked, secrets not shown, phrases of attacks only located. At most
 * `MAX_EXPLANATION` characters. `texts` are those that `findings` came from.
 */
export function explain(
  texts: readonly SourceText[],
  findings: readonly Finding[],
  assessment: Assessment,
): string {
  if (findings.length === 0) return 'Nothing was found that this service looks for.';
  const reported = findings.filter((finding) => assessment.violations.includes(finding.code));
  const unreported = new Set(findings.map((finding) => finding.code));
  for (const code of assessment.violations) unreported.delete(code);
  const sentences = [
    explainLevel(rate(reported), assessment.riskLevel),
    ...texts.flatMap((text) => describeSource(text, findings)),
  ];
  if (assessment.violations.length > 0) sentences.push(`Reported: ${assessment.violations.join(', ')}.`);
  if (unreported.size > 0)
    sentences.push(`Seen but not reported by this sandbox: ${[...unreported].join(', ')}.`);
  if (assessment.regulation.length > 0) {
    sentences.push(`Regulations concerned: ${assessment.regulation.join(', ')}.`);
  }
  return join(sentences);
}

/** As many whole sentences as the limit allows. */
function join(sentences: readonly string[]): string {
  let text = '';
  for (const sentence of sentences) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (longer.length > MAX_EXPLANATION) break;
    text = longer;
  }
  return text;
}
