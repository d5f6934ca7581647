import { isLeftOut } from '../../left-out-sources.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import type { LabelledText } from './labelled-text.ts';

interface Row {
  readonly text?: string;
  readonly prompt?: string;
  readonly kind?: string;
  readonly source: string;
}

const FILES = [
  'benign/exchanges',
  'benign/documents',
  'benign/code',
  'injection/negatives-security',
] as const;
/** Texts made here follow few patterns, so a few of them suffice. */
const MAX_MADE_HERE = 150;
const MADE_HERE = 'generated here';
/** Maximum number of code units read from each text: their beginnings are most alike, and some are books. */
const MAX_UNITS = 8_000;

const HARMLESS = { INJECTION: false, DANGEROUS: false, HATE: false } as const;

/** Typical input to models from people and programs: documents, code, logs and texts about attacks. */
export function ordinaryTexts(data: DataFolder): LabelledText[] {
  return FILES.flatMap((file) => {
    let madeHere = 0;
    return data
      .cases<Row>(`${file}.jsonl`)
      .filter(({ source }) => !isLeftOut(source))
      .filter(({ source }) => source !== MADE_HERE || ++madeHere <= MAX_MADE_HERE)
      .map(({ text, prompt, source }) => ({
        text: (text ?? prompt ?? '').slice(0, MAX_UNITS),
        family: `ordinary/${file}`,
        source,
        labels: HARMLESS,
      }));
  });
}
