import { namesAndAddresses } from '#core/detect/find/detectors/names-and-addresses.ts';
import type { DataFolder } from '../samples/data-folder.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { addScores, compareSpans, fMeasure } from '../samples/spans.ts';
import { namesByLanguage } from './names/by-language.ts';
import { namesElsewhere } from './names/elsewhere.ts';
import { namesReliability, type SureSpan } from './names/reliability.ts';
import { evaluatePersonalData } from './personal-data.ts';
import type { LabelledText } from './sets/names/name-layouts.ts';
import { namesSet } from './sets/names/names.ts';
import { namesInFormats } from './sets/names/names-in-formats.ts';
import { namesSeenSet } from './sets/names/names-seen.ts';

/** The names and addresses that the detector finds, as spans. */
function namesIn(text: string): readonly SureSpan[] {
  return namesAndAddresses.searchWhole(text, 'prompt').map(({ entity, start, end, confidence }) => ({
    type: entity ?? '',
    start,
    end,
    confidence,
  }));
}

function ownSetItem(type: 'PERSON' | 'ADDRESS', texts: readonly LabelledText[], set: string): EvaluatedItem {
  const score = addScores(texts.map(({ text, spans }) => compareSpans(spans, namesIn(text), type)));
  return {
    item: `${type} on an own generated set ${set}`,
    figure: 'F1',
    value: fMeasure(score),
    first: null,
    goal: null,
    better: 'HIGHER',
    how: `${texts.length} made-up texts, half of them without any; ${score.hits} hits, ${score.missed} missed, ${score.wrong} wrong`,
  };
}

/**
 * Layouts, names and addresses that are not in the training data: one set was used during development, the other never.
 */
function ownSetItems(): readonly EvaluatedItem[] {
  const types = ['PERSON', 'ADDRESS'] as const;
  return [
    ...types.map((type) => ownSetItem(type, namesSet(), '(never inspected)')),
    ...types.map((type) => ownSetItem(type, namesSeenSet(), '(tuned on)')),
    ownSetItem('PERSON', namesInFormats(), 'of logs, headers, data and forms'),
  ];
}

function benignItem(data: DataFolder, type: 'PERSON' | 'ADDRESS'): EvaluatedItem {
  const prompts = data.cases<{ readonly text: string }>('benign/prompts.jsonl');
  const finds = prompts.flatMap(({ text }) => namesIn(text)).filter((find) => find.type === type).length;
  return {
    item: `${type} reported in benign prompts`,
    figure: 'matches per 1,000 prompts',
    value: (1_000 * finds) / prompts.length,
    first: null,
    goal: null,
    better: 'LOWER',
    how: `${prompts.length} prompts of benign/prompts, part of the training; their persons are not labelled, and most finds are persons (historical, fictional or made-up ones)`,
  };
}

export const evaluateNames: EvaluationPart = (data) => [
  ...ownSetItems(),
  ...namesByLanguage(data, namesIn),
  ...namesReliability(data, namesSet(), namesIn),
  ...(data === null
    ? []
    : [
        ...evaluatePersonalData(data),
        ...namesElsewhere(data, namesIn),
        benignItem(data, 'PERSON'),
        benignItem(data, 'ADDRESS'),
      ]),
];
