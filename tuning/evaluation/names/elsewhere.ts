import type { DataFolder } from '../../samples/data-folder.ts';
import type { EvaluatedItem } from '../../samples/items.ts';
import type { LabelledSpan } from '../../samples/spans.ts';
import { isHeldOutSource } from '../../training/names/documents.ts';

type Find = (text: string) => readonly LabelledSpan[];

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
    figure: 'matches per 1,000 documents',
    value: (1_000 * finds.filter(({ type }) => type === 'PERSON').length) / documents.length,
    first: null,
    goal: null,
    better: 'LOWER',
    how: `${documents.length} documents of sources that were not trained on; their persons are not labelled, and many finds are authors and other persons`,
  };
}

/** Names outside the tagger's training data. */
export const namesElsewhere = (data: DataFolder, find: Find): readonly EvaluatedItem[] => [
  inDocuments(data, find),
];
