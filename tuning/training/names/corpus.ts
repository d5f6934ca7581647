import type { DataFolder } from '../../samples/data-folder.ts';
import type { TaggedText, TagType } from './languages/tagged-text.ts';

interface LabelledCase {
  readonly text: string;
  readonly template: number;
  readonly spans: readonly { readonly type: string; readonly start: number; readonly end: number }[];
}

/** A labelled text, with the group with which it is held out. */
export interface GroupedText extends TaggedText {
  readonly file: 'synth-v2' | 'generated-large';
  readonly group: number;
  readonly original: LabelledCase;
}

const TYPES: Readonly<Record<string, TagType>> = {
  PERSON: 'PERSON',
  STREET_ADDRESS: 'ADDRESS',
  ADDRESS: 'ADDRESS',
  ORGANIZATION: 'ORGANIZATION',
  GPE: 'PLACE',
  LOCATION: 'PLACE',
};
const TITLE = /^(?:mr|mrs|ms|dr|miss|prof)\.?$/i;

function tagged({ text, spans }: LabelledCase): TaggedText {
  return {
    text,
    isWeak: false,
    spans: spans.flatMap(({ type, start, end }) => {
      const tag = TYPES[type];
      return tag === undefined || TITLE.test(text.slice(start, end)) ? [] : [{ type: tag, start, end }];
    }),
  };
}

/** The wording: a text without its entities, digits and blanks. */
function wordingOf({ text, spans }: LabelledCase): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start > from) parts.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  parts.push(text.slice(from));
  return parts
    .join('')
    .toLowerCase()
    .replace(/[\s\d]+/g, '');
}

/**
 * Texts with one template or one wording form a group, also across both files; groups are numbered in order of
 * appearance.
 */
function groupsOf(cases: readonly LabelledCase[]): readonly number[] {
  const parent = cases.map((_case, index) => index);
  const rootOf = (index: number): number => {
    let at = index;
    while (parent[at] !== at) at = parent[at]!;
    return at;
  };
  const firstWith = new Map<string, number>();
  cases.forEach((one, index) => {
    for (const key of [`template ${one.template}`, `wording ${wordingOf(one)}`]) {
      const first = firstWith.get(key);
      if (first === undefined) firstWith.set(key, index);
      else parent[Math.max(rootOf(first), rootOf(index))] = Math.min(rootOf(first), rootOf(index));
    }
  });
  return cases.map((_case, index) => rootOf(index));
}

/** Both labelled files, without texts of `generated-large` that contain an unfilled placeholder. */
export function labelledTexts(data: DataFolder): readonly GroupedText[] {
  const files = (['synth-v2', 'generated-large'] as const).flatMap((file) =>
    data
      .cases<LabelledCase>(`pii/${file}.jsonl`)
      .filter(({ text }) => file === 'synth-v2' || !text.includes('{'))
      .map((original) => ({ file, original })),
  );
  const groups = groupsOf(files.map(({ original }) => original));
  return files.map(({ file, original }, index) => ({
    ...tagged(original),
    file,
    original,
    group: groups[index]!,
  }));
}

/** Longer prompts add nothing new. */
const ENOUGH = 1_500;

/** Ordinary prompts, whose persons are not labelled, so they only show what is not a name. */
export function benignTexts(data: DataFolder): readonly TaggedText[] {
  return data
    .cases<{ readonly text: string }>('benign/prompts.jsonl')
    .map(({ text }) => ({ text: text.slice(0, ENOUGH), spans: [], isWeak: true }));
}

/** Texts that say much about persons, a source of contexts for names. */
export function talkativeTexts(data: DataFolder): readonly TaggedText[] {
  const files = ['hate/tweets.jsonl', 'injection/positive.jsonl', 'benign/prompts.jsonl'];
  return files.flatMap((file) =>
    data.cases<{ readonly text: string }>(file).map(({ text }) => ({ text, spans: [], isWeak: true })),
  );
}
