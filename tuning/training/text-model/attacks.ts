import type { DataFolder } from '../../samples/data-folder.ts';
import type { LabelledText } from './labelled-text.ts';

interface Row {
  readonly text: string;
  readonly label: string;
  readonly source: string;
  readonly family: string;
}

/** Orders to a model hidden in documents, and suffixes that no person would type. */
export function hiddenAttacks(data: DataFolder): LabelledText[] {
  const from = (file: string, name: (row: Row) => string): LabelledText[] =>
    data.cases<Row>(`injection/${file}.jsonl`).map((row) => ({
      text: row.text,
      family: row.label === 'positive' ? name(row) : `contrast/${file}`,
      labels: { INJECTION: row.label === 'positive' },
    }));
  return [
    ...from('indirect', ({ source }) => `indirect/${source.split('+').at(-1)}`),
    ...from('suffix', ({ source }) => `suffix/${source}`),
  ];
}

/** Dangerous requests in the past tense, as a story or as a hypothesis, and harmless ones in the same frames. */
export const framedDangers = (data: DataFolder): LabelledText[] =>
  data.cases<Row>('dangerous/indirect.jsonl').map(({ text, label, family }) => ({
    text,
    family: label === 'unsafe' ? `framed/${family}` : 'contrast/dangerous',
    labels: { DANGEROUS: label === 'unsafe', INJECTION: false },
  }));

/** Hatred, and sentences about the same people without hatred. */
export const hateContrasts = (data: DataFolder): LabelledText[] =>
  data.cases<Row>('hate/contrast.jsonl').map(({ text, label }) => ({
    text,
    family: label === 'hate' ? 'contrast-pairs/hateful' : 'contrast/hate',
    labels: { HATE: label === 'hate', INJECTION: false },
  }));
