import type { DataFolder } from '../../evaluation/data-folder.ts';
import type { TaggedText, TagType } from './tagged-text.ts';

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Sentence {
  readonly text: string;
  /** Proper nouns; without it, they are not known. */
  readonly spans?: readonly Span[];
  readonly entities?: readonly Span[];
  readonly source: string;
  readonly part: 'train' | 'dev';
}

/** Languages that are trained on. Italian, Portuguese and Swedish are held out as a whole. */
const LANGUAGES = [
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'hu',
  'id',
  'nl',
  'no',
  'pl',
  'ro',
  'ru',
  'tr',
  'uk',
  'vi',
] as const;
export const HELD_OUT_LANGUAGES = ['it', 'pt', 'sv'] as const;

/** Of these, the part for development is held out. */
export const HELD_OUT_PARTS: readonly string[] = ['da', 'en', 'fi', 'hu', 'vi'];

/** Calls nouns for people persons too. */
const WITHOUT_ENTITIES = 'ronec';

const TYPES: Readonly<Record<string, TagType>> = {
  PERSON: 'PERSON',
  LOCATION: 'UNKNOWN',
  ORGANIZATION: 'ORGANIZATION',
};

/** Every how many sentences of a language one is used. */
const EVERY = 3;

function tagged({ text, spans, entities }: Sentence): TaggedText | null {
  if (entities !== undefined) {
    const known = entities.flatMap(({ type, start, end }) => {
      const tag = TYPES[type];
      return tag === undefined ? [] : [{ type: tag, start, end }];
    });
    return { text, spans: known, isWeak: true, areLabelled: true };
  }
  if (spans === undefined) return null;
  return {
    text,
    spans: spans.map(({ start, end }) => ({ type: 'UNKNOWN' as const, start, end })),
    isWeak: true,
    areLabelled: true,
  };
}

/** Sentences of Universal Dependencies: persons where they are labelled, and words that are no proper nouns. */
export function treebankTexts(data: DataFolder): readonly TaggedText[] {
  return LANGUAGES.flatMap((language) =>
    data
      .cases<Sentence>(`pii/treebank-${language}.jsonl`)
      .filter(({ source, part }) => !source.includes(WITHOUT_ENTITIES) && !isHeldOut(language, part))
      .filter((sentence, at) => sentence.entities !== undefined || at % EVERY === 0)
      .flatMap((sentence) => tagged(sentence) ?? []),
  );
}

const isHeldOut = (language: string, part: string): boolean =>
  part === 'dev' && HELD_OUT_PARTS.includes(language);
