import { seededRandom } from '../../../samples/random.ts';
import type { LabelledSpan } from '../../../samples/spans.ts';
import type { LabelledText } from './name-layouts.ts';
import languages from './names-by-language.json' with { type: 'json' };

/** Names, addresses and sentences of a language, written for evaluation: none of them is in the training data. */
interface OfLanguage {
  /** Given name, vertical bar, surname. */
  readonly people: readonly string[];
  readonly addresses: readonly string[];
  /** {P} full name, {F} given name, {L} surname, {A} address. */
  readonly texts: readonly string[];
}

export const LANGUAGES: Readonly<Record<string, OfLanguage>> = languages;

const SLOT = /\{([PFLA])\}/g;
/** These languages write the surname first, without a space. */
const SURNAME_FIRST: ReadonlySet<string> = new Set(['ja', 'zh', 'ko']);
const TIMES = 6;

function filled(
  language: string,
  { people, addresses }: OfLanguage,
  pick: (list: readonly string[]) => string,
) {
  return (layout: string): LabelledText => {
    let text = '';
    let from = 0;
    const spans: LabelledSpan[] = [];
    for (const { 0: slot, 1: kind, index } of layout.matchAll(SLOT)) {
      const [given = '', surname = ''] = pick(people).split('|');
      const full = SURNAME_FIRST.has(language) ? surname + given : `${given} ${surname}`;
      const value = kind === 'A' ? pick(addresses) : kind === 'F' ? given : kind === 'L' ? surname : full;
      text += layout.slice(from, index);
      spans.push({
        type: kind === 'A' ? 'ADDRESS' : 'PERSON',
        start: text.length,
        end: text.length + value.length,
      });
      text += value;
      from = index + slot.length;
    }
    return { text: text + layout.slice(from), spans };
  };
}

/** Texts of a language, each layout filled in several times. */
export function namesOfLanguage(language: string): readonly LabelledText[] {
  const one = LANGUAGES[language]!;
  const { pick } = seededRandom(90_417);
  const fill = filled(language, one, pick);
  return Array.from({ length: TIMES }, () => one.texts.map(fill)).flat();
}
