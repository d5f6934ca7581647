import type { DataFolder } from '../../samples/data-folder.ts';
import type { EvaluatedItem } from '../../samples/items.ts';
import { type LabelledSpan, overlapOf } from '../../samples/spans.ts';
import { isHeldOut, type Sentence, TREEBANK_LANGUAGES } from '../../training/names/languages/treebanks.ts';
import type { LabelledText } from '../sets/names/name-layouts.ts';

/** A match with its confidence. */
export interface SureSpan extends LabelledSpan {
  readonly confidence: number;
}

type Find = (text: string) => readonly SureSpan[];

const ENOUGH = 0.5;
/** Sources that do not tag persons as proper nouns, or tag nouns as persons. */
const UNRELIABLE = /Vietnamese|ronec/;
/** Class boundaries of confidence. */
const BOUNDS = [0.3, 0.5, 0.7, 0.85, 0.95, 1.01];

interface Judged {
  readonly type: string;
  readonly confidence: number;
  readonly isRight: boolean;
}

function judged({ text, spans }: LabelledText, find: Find): readonly Judged[] {
  const open = [...spans];
  return find(text).map((one) => {
    const at = open.findIndex((span) => span.type === one.type && overlapOf(span, one) >= ENOUGH);
    if (at !== -1) open.splice(at, 1);
    return { type: one.type, confidence: one.confidence, isRight: at !== -1 };
  });
}

/** Sentences held out of training, with all their persons; those without a proper noun have none. */
function leftOut(data: DataFolder): readonly LabelledText[] {
  return TREEBANK_LANGUAGES.flatMap((language) =>
    data
      .cases<Sentence>(`pii/treebank-${language}.jsonl`)
      .filter((one) => isHeldOut(one) && !UNRELIABLE.test(one.source))
      .flatMap(({ text, entities, spans }) => {
        if (entities === undefined && spans?.length !== 0) return [];
        return [{ text, spans: (entities ?? []).filter(({ type }) => type === 'PERSON') }];
      }),
  );
}

function itemsFor(type: string, finds: readonly Judged[], where: string): readonly EvaluatedItem[] {
  return BOUNDS.slice(1).flatMap((until, at) => {
    const from = BOUNDS[at]!;
    const here = finds.filter((one) => one.type === type && one.confidence >= from && one.confidence < until);
    if (here.length === 0) return [];
    const right = here.filter(({ isRight }) => isRight).length;
    const mean = here.reduce((sum, { confidence }) => sum + confidence, 0) / here.length;
    return [
      {
        item: `${type} with a confidence from ${from}${until > 1 ? '' : ` to ${until}`}, ${where}`,
        figure: 'share right',
        value: right / here.length,
        first: null,
        goal: null,
        better: 'HIGHER' as const,
        how: `${right} of ${here.length} finds; their mean confidence is ${mean.toFixed(2)}`,
      },
    ];
  });
}

/** How often a match with a given confidence is correct. */
export function namesReliability(
  data: DataFolder | null,
  own: readonly LabelledText[],
  find: Find,
): readonly EvaluatedItem[] {
  const inOwn = own.flatMap((one) => judged(one, find));
  const items = [...itemsFor('PERSON', inOwn, 'own set'), ...itemsFor('ADDRESS', inOwn, 'own set')];
  if (data === null) return items;
  const inSentences = leftOut(data).flatMap((one) => judged(one, find));
  return [...items, ...itemsFor('PERSON', inSentences, 'treebanks left out')];
}
