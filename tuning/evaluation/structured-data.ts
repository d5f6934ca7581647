import { detect } from '#core/detect/detect.ts';
import type { DataFolder } from '../samples/data-folder.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import {
  addScores,
  compareSpans,
  fMeasure,
  type LabelledSpan,
  precisionOf,
  recallOf,
  type Score,
} from '../samples/spans.ts';
import { KINDS } from './sets/kinds.ts';
import { type Case, labelledValues } from './sets/labelled-values.ts';
import { SHAPED_TYPES, shapedValues } from './sets/shaped-values.ts';

const SHAPED_SEED = 2_041;
const HELD_SEED = 7_019;

const findsIn = (text: string): LabelledSpan[] =>
  detect([{ source: 'prompt', text }]).flatMap(({ entity, start, end }) =>
    entity === null ? [] : [{ type: entity, start, end }],
  );

/** The score of each type over all cases; a match in a case without the type is a false positive. */
function scores(cases: readonly Case[], types: readonly string[]): ReadonlyMap<string, Score> {
  const found = cases.map(({ text }) => findsIn(text));
  return new Map(
    types.map((type) => [type, addScores(cases.map(({ spans }, i) => compareSpans(spans, found[i]!, type)))]),
  );
}

const described = (score: Score): string =>
  `precision ${precisionOf(score).toFixed(3)}, recall ${recallOf(score).toFixed(3)}`;

function items(
  cases: readonly Case[],
  types: readonly string[],
  where: string,
  [first, goal]: readonly [number | null, number | null],
  how: string,
): EvaluatedItem[] {
  return [...scores(cases, types)].map(([type, score]) => ({
    item: `${type} ${where}`,
    figure: 'F1',
    value: fMeasure(score),
    first,
    goal,
    better: 'HIGHER',
    how: `${how}; ${cases.length} texts, ${score.hits + score.missed} values; ${described(score)}`,
  }));
}

/** The data's types and our names for them. */
const TYPES_OF_SYNTH: Readonly<Record<string, string>> = {
  PHONE_NUMBER: 'PHONE',
  EMAIL_ADDRESS: 'EMAIL',
  US_SSN: 'SSN',
  CREDIT_CARD: 'CREDIT_CARD',
  IBAN_CODE: 'IBAN',
  IP_ADDRESS: 'IP_ADDRESS',
};

function givenItems(data: DataFolder): EvaluatedItem[] {
  const cases = data.cases<Case>('pii/synth-v2.jsonl').map(({ text, spans }) => ({
    text,
    spans: spans.map((span) => ({ ...span, type: TYPES_OF_SYNTH[span.type] ?? span.type })),
  }));
  const how = 'given data, which the detectors were tuned on';
  const others = Object.values(TYPES_OF_SYNTH).filter((type) => type !== 'PHONE');
  return [
    ...items(cases, ['PHONE'], 'on pii/synth-v2', [0.92, 0.97], how),
    ...items(cases, others, 'on pii/synth-v2', [null, null], how),
  ];
}

/** Structured personal identifiers: those with their own format, and those with a label. */
export const structuredData: EvaluationPart = (data) => [
  ...items(
    shapedValues(SHAPED_SEED),
    SHAPED_TYPES,
    'by shape',
    [0.99, 0.99],
    'generated, with hard negatives; hardly any text names the value',
  ),
  ...items(
    labelledValues(true, HELD_SEED),
    KINDS.map(({ entity }) => entity),
    'by label',
    [0.92, 0.97],
    'generated; labels and layouts of the last round of tuning, not those before',
  ),
  ...(data === null ? [] : givenItems(data)),
];
