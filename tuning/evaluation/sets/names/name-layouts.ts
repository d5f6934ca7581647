import { readListsOf } from '../../../samples/lists.ts';
import type { SeededRandom } from '../../../samples/random.ts';
import type { LabelledSpan } from '../../../samples/spans.ts';

/** A made-up text with its names and addresses. */
export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

/** Values to fill layouts with. */
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

/** Values follow the case of a layout that is all upper case, and often of one that is all lower case. */
function casing(layout: string, { below }: SeededRandom): (value: string) => string {
  const words = layout.replaceAll(SLOT, '');
  const isUpper = words === words.toUpperCase() && words !== words.toLowerCase();
  const isLower = words === words.toLowerCase() && /^[a-z]/.test(words) && below(2) === 0;
  return (value) => {
    const changed = isUpper ? value.toUpperCase() : isLower ? value.toLowerCase() : value;
    return changed.length === value.length ? changed : value;
  };
}

/** Fills in every slot of a layout; {N} is a number. */
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

/** Layouts and their fillings, from a file in this folder. */
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

/** Fills in every layout `times` times, with different values. */
export function filledIn(layouts: Layouts, random: SeededRandom, times: number): readonly LabelledText[] {
  const all = [...layouts.withValues, ...layouts.without];
  return Array.from({ length: times }, () => all.map((layout) => filled(layout, layouts, random))).flat();
}
