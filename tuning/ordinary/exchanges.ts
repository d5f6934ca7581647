import { isLeftOut } from '../left-out-sources.ts';
import type { DataFolder } from '../samples/data-folder.ts';

/** Categories of ordinary traffic. */
type Material =
  | 'everyday English'
  | 'medicine and law'
  | 'developers'
  | 'READMEs'
  | 'code'
  | 'other languages'
  | 'texts about attacks';

/** A harmless exchange. */
export interface OrdinaryExchange {
  readonly material: string;
  readonly prompt: string;
  readonly response: string;
}

interface Row {
  readonly text?: string;
  readonly prompt?: string;
  readonly response?: string;
  readonly kind?: string;
  readonly source: string;
}

/** Material by prefix of the kind; the first match counts, and everything else is from developers. */
const BY_KIND: readonly (readonly [RegExp, Material])[] = [
  [/^small talk \(english\)/, 'everyday English'],
  [
    /^(?:small talk|developer quiz \((?!en\))|service dialogue|assistant, multilingual)|\(zh\)/,
    'other languages',
  ],
  [/^(?:medical|law|policy)/, 'medicine and law'],
  [
    /^(?:assistant, |tutoring|public service|role play|news|meeting|recipe|e-mail|handbook|CV)/,
    'everyday English',
  ],
  [/^readme/, 'READMEs'],
  [/^(?:source|test|cell|diff|code )/, 'code'],
];
/** Sources that are not in English, whatever their kind. */
const FOREIGN = /^(?:reactjs\/(?:de|es|fr|ja|pl)\.react\.dev|Anduin2017\/HowToCook|bundestag\/gesetze)$/;

function materialOf(file: string, { kind = '', source }: Row): Material {
  if (file.startsWith('injection/')) return 'texts about attacks';
  if (FOREIGN.test(source)) return 'other languages';
  return BY_KIND.find(([pattern]) => pattern.test(kind))?.[1] ?? 'developers';
}

const FILES = [
  'benign/exchanges.jsonl',
  'benign/documents.jsonl',
  'benign/code.jsonl',
  'injection/negatives-security.jsonl',
] as const;

/** Ordinary exchanges from the sources on which nothing is tuned; documents and code are in the prompt. */
export function ordinaryExchanges(data: DataFolder): OrdinaryExchange[] {
  return FILES.flatMap((file) =>
    data
      .cases<Row>(file)
      .filter(({ source }) => isLeftOut(source))
      .map((row) => ({
        material: materialOf(file, row),
        prompt: row.prompt ?? row.text ?? '',
        response: row.response ?? '',
      })),
  );
}
