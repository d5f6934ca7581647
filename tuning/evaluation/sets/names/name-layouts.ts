import { readListsOf } from '../../../samples/lists.ts';
import type { SeededRandom } from '../../../samples/random.ts';
import type { LabelledSpan } from '../../../samples/spans.ts';

/** A made-up text with the names and addresses in it. */
export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

/** What layouts are filled with. */
interface Fillings {
  /** {P} */
  readonly people: readonly string[];
  /** {F} */
  readonly given: readonly string[];
  /** {L} */
  readonly surnames: readonly string[];
  /** {A} */
  readonly addresses: readonly string[];
  /** {G} */
  readonly towns: readonly string[];
  /** {X} */
  readonly things: readonly string[];
  /** {O} */
  readonly firms: readonly string[];
}

const SLOT = /\{([A-Z])\}/g;

function filler(
  slot: string,
  fillings: Fillings,
  { pick, below }: SeededRandom,
): readonly [value: string, type: string | null] {
  switch (slot) {
    case 'P':
      return [pick(fillings.people), 'PERSON'];
    case 'F':
      return [pick(fillings.given), 'PERSON'];
    case 'L':
      return [pick(fillings.surnames), 'PERSON'];
    case 'A':
      return [pick(fillings.addresses), 'ADDRESS'];
    case 'G':
      return [pick(fillings.towns), null];
    case 'X':
      return [pick(fillings.things), null];
    case 'O':
      return [pick(fillings.firms), null];
    default:
      return [String(1 + below(900)), null];
  }
}

/** Values take the case of a layout that is all capitals, and often of one that is all lower case. */
function casing(layout: string, { below }: SeededRandom): (value: string) => string {
  const words = layout.replaceAll(SLOT, '');
  const isUpper = words === words.toUpperCase() && words !== words.toLowerCase();
  const isLower = words === words.toLowerCase() && /^[a-z]/.test(words) && below(2) === 0;
  return (value) => {
    const changed = isUpper ? value.toUpperCase() : isLower ? value.toLowerCase() : value;
    return changed.length === value.length ? changed : value;
  };
}

/** A layout with a value in each of its places; {N} is a number. */
function filled(layout: string, fillings: Fillings, random: SeededRandom): LabelledText {
  const inCase = casing(layout, random);
  const spans: LabelledSpan[] = [];
  let text = '';
  let from = 0;
  for (const match of layout.matchAll(SLOT)) {
    const [value, type] = filler(match[1]!, fillings, random);
    text += layout.slice(from, match.index);
    const written = inCase(value);
    if (type !== null) spans.push({ type, start: text.length, end: text.length + written.length });
    text += written;
    from = match.index + match[0].length;
  }
  return { text: text + layout.slice(from), spans };
}

interface Layouts extends Fillings {
  readonly withValues: readonly string[];
  readonly without: readonly string[];
}

/** Layouts and what they are filled with, of a file in this folder. */
export const readLayouts = (file: string): Layouts =>
  readListsOf(
    `evaluation/sets/names/${file}`,
    'people',
    'given',
    'surnames',
    'addresses',
    'towns',
    'things',
    'firms',
    'withValues',
    'without',
  );

/** Every layout, `times` times with other values. */
export function filledIn(layouts: Layouts, random: SeededRandom, times: number): readonly LabelledText[] {
  const all = [...layouts.withValues, ...layouts.without];
  return Array.from({ length: times }, () => all.map((layout) => filled(layout, layouts, random))).flat();
}
