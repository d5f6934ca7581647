import { isHeldOutSource } from '../training/names/documents.ts';
import { HELD_OUT_LANGUAGES, HELD_OUT_PARTS } from '../training/names/treebanks.ts';
import type { DataFolder } from './data-folder.ts';
import type { EvaluatedItem } from './items.ts';
import { addScores, compareSpans, fMeasure, type LabelledSpan, precisionOf, recallOf } from './spans.ts';

type Find = (text: string) => readonly LabelledSpan[];

interface Sentence {
  readonly text: string;
  readonly part: string;
  readonly entities?: readonly LabelledSpan[];
}

/** Persons in sentences of newspapers and the like, of languages and parts that were not trained on. */
function inTreebanks(data: DataFolder, find: Find): EvaluatedItem {
  const sentences = [...HELD_OUT_LANGUAGES, ...HELD_OUT_PARTS].flatMap((language) =>
    data
      .cases<Sentence>(`pii/treebank-${language}.jsonl`)
      .filter(({ part }) => part === 'dev' || !HELD_OUT_PARTS.includes(language)),
  );
  const labelled = sentences.filter(({ entities }) => entities !== undefined);
  const score = addScores(
    labelled.map(({ text, entities }) => compareSpans(entities!, find(text), 'PERSON')),
  );
  return {
    item: 'PERSON on held-out treebanks',
    figure: 'F1',
    value: fMeasure(score),
    first: null,
    goal: null,
    better: 'HIGHER',
    how: `precision ${precisionOf(score).toFixed(3)}, recall ${recallOf(score).toFixed(3)}; ${labelled.length} sentences in Portuguese and Swedish, and of the parts for development in Danish, English, Finnish and Hungarian; also gods and figures of history are labelled`,
  };
}

interface Document {
  readonly text: string;
  readonly source: string;
}

const ENOUGH = 2_000;

function inDocuments(data: DataFolder, find: Find): EvaluatedItem {
  const documents = data
    .cases<Document>('benign/documents.jsonl')
    .filter(({ source }) => isHeldOutSource(source));
  const finds = documents.flatMap(({ text }) => find(text.slice(0, ENOUGH)));
  return {
    item: 'PERSON reported in held-out documents',
    figure: 'finds per 1,000 documents',
    value: (1_000 * finds.filter(({ type }) => type === 'PERSON').length) / documents.length,
    first: null,
    goal: null,
    better: 'LOWER',
    how: `${documents.length} documents of sources that were not trained on; their persons are not labelled, and many finds are authors and other persons`,
  };
}

/** Names outside of the data that the tagger learns from. */
export const namesElsewhere = (data: DataFolder, find: Find): readonly EvaluatedItem[] => [
  inTreebanks(data, find),
  inDocuments(data, find),
];
