import { credentials } from '#core/detect/find/detectors/credentials.ts';
import { highEntropy } from '#core/detect/find/detectors/high-entropy.ts';
import { privateKey } from '#core/detect/find/detectors/private-key.ts';
import { providerKeys } from '#core/detect/find/detectors/provider-keys.ts';
import { requestCredentials } from '#core/detect/find/detectors/request-credentials.ts';
import { seedPhrase } from '#core/detect/find/detectors/seed-phrase.ts';
import { sessionToken } from '#core/detect/find/detectors/session-token.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { secretsBySource } from './by-source/secrets-by-source.ts';
import { createLocalFinder } from './local-finds.ts';
import { harmlessCases, secretCases } from './sets/secrets.ts';

interface ProviderCase {
  readonly text: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}
interface Prompt {
  readonly text: string;
  readonly response?: string;
}
interface Trace {
  readonly messages: unknown;
}
interface Span {
  readonly start: number;
  readonly end: number;
}

const GENERAL = [highEntropy, credentials, requestCredentials, privateKey, sessionToken, seedPhrase];
const findGeneral = createLocalFinder(GENERAL);
const findAll = createLocalFinder([...GENERAL, providerKeys]);

/** Seed of the made-up cases; other seeds were used while writing the detectors. */
const SEED = 90_417;
const MADE_UP = 2_000;

const share = (hits: number, all: number): number => (all === 0 ? 1 : hits / all);

/** Whether two spans share at least half of the characters of their union. */
function agree(a: Span, b: Span): boolean {
  const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return common >= 0.5 * (Math.max(a.end, b.end) - Math.min(a.start, b.start));
}

/**
 * Whether a match covers at least half of the value. The data do not say where the value starts, so only misses can be
 * counted.
 */
function covers(find: Span, value: Span): boolean {
  return Math.min(find.end, value.end) - Math.max(find.start, value.start) >= 0.5 * (value.end - value.start);
}

/** The value after the label, which the data mark together: the last long run without quotes or punctuation. */
function valueAfterLabel({ text, start, end }: ProviderCase): Span {
  const runs = [...text.slice(start, end).matchAll(/[^\s"'`=|:>,]{8,}/g)];
  const last = runs.at(-1);
  return last === undefined
    ? { start, end }
    : { start: start + last.index, end: start + last.index + last[0].length };
}

function onProviderData(cases: readonly ProviderCase[]): EvaluatedItem[] {
  const line = (item: string, hits: number, how: string, target: boolean): EvaluatedItem => ({
    item,
    figure: 'recall',
    value: share(hits, cases.length),
    first: target ? 0.85 : null,
    goal: target ? 0.97 : null,
    better: 'HIGHER',
    how: `secrets/provider-shaped, ${cases.length} cases of 220 kinds; ${how}`,
  });
  const valueHit = (find: typeof findAll) =>
    cases.filter((one) => find(one.text).some((found) => covers(found, valueAfterLabel(one)))).length;
  const textHit = (find: typeof findAll) => cases.filter(({ text }) => find(text).length > 0).length;
  return [
    line(
      'secrets, formats not written for',
      textHit(findGeneral),
      'provider formats switched off; text flagged',
      true,
    ),
    line(
      'secrets, formats not written for, value',
      valueHit(findGeneral),
      'provider formats off; half of the value covered',
      true,
    ),
    line('secrets, everything', textHit(findAll), 'formats were tuned on it; text flagged', false),
    line(
      'secrets, everything, value',
      valueHit(findAll),
      'formats were tuned on it; half of the value covered',
      false,
    ),
  ];
}

function flagged(item: string, texts: readonly (readonly string[])[], how: string): EvaluatedItem {
  const hits = texts.filter((parts) => parts.some((text) => findAll(text).length > 0)).length;
  return {
    item,
    figure: 'share flagged',
    value: share(hits, texts.length),
    first: 0.003,
    goal: 0.001,
    better: 'LOWER',
    how: `${how}, ${texts.length} documents`,
  };
}

function onMadeUp(): EvaluatedItem[] {
  const cases = secretCases(SEED, MADE_UP);
  const hits = cases.filter(({ text, secret }) => {
    const start = text.indexOf(secret!);
    return findGeneral(text).some((found) => agree(found, { start, end: start + secret!.length }));
  });
  return [
    {
      item: 'secrets, made-up formats, passwords and sessions',
      figure: 'recall',
      value: share(hits.length, cases.length),
      first: 0.85,
      goal: 0.97,
      better: 'HIGHER',
      how: `made up (seed ${SEED}), ${cases.length} texts; provider formats switched off; value found. The layouts were seen while writing`,
    },
    flagged(
      'secrets, hard negatives',
      harmlessCases(SEED, MADE_UP).map(({ text }) => [text]),
      'made-up hashes, ids, placeholders, code; its false matches were fixed',
    ),
  ];
}

/** Keys, tokens and passwords: recall for formats that no rule names, and false positives in harmless texts. */
export const secretsEvaluation: EvaluationPart = (data) => [
  ...onMadeUp(),
  ...(data === null
    ? []
    : [
        ...onProviderData(data.cases<ProviderCase>('secrets/provider-shaped.jsonl')),
        flagged(
          'secrets, benign documents',
          data.cases<Prompt>('benign/prompts.jsonl').map(({ text, response = '' }) => [text, response]),
          'benign/prompts, prompt and response; pairs of letters were counted on it, and its false matches inspected',
        ),
        flagged(
          'secrets, benign agent traces',
          data.cases<Trace>('agent/benign-traces.jsonl').map(({ messages }) => [JSON.stringify(messages)]),
          'agent/benign-traces',
        ),
        flagged(
          'secrets, texts not tuned on',
          [...data.cases<Prompt>('hate/tweets.jsonl'), ...data.cases<Prompt>('dangerous/prompts.jsonl')].map(
            ({ text }) => [text],
          ),
          'hate/tweets and dangerous/prompts: short texts without code',
        ),
        ...secretsBySource(data, findAll),
      ]),
];
