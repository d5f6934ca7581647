import type { SeededRandom } from '../../samples/random.ts';
import { formatFiller } from './formats.ts';
import type { NameLists } from './languages/lists.ts';
import { capitalised } from './languages/made-up-names.ts';
import { createWriter, type TaggedText, type TagType } from './languages/tagged-text.ts';
import {
  FORMATS_WITH_VALUES,
  FORMATS_WITHOUT,
  LAYOUTS_WITH_VALUES,
  LAYOUTS_WITHOUT,
  PROSE_WITH_VALUES,
  PROSE_WITHOUT,
} from './layouts/layouts.ts';
import { createMadeUp, type MadeUp } from './made-up.ts';

const SLOT = /\{([A-Z])\}/;
const MONTHS = [
  'January',
  'Feb',
  'March',
  'April',
  'May',
  'June',
  'Jul',
  'August',
  'Sept',
  'October',
  'Nov',
  'December',
];

const TYPES: Readonly<Record<string, TagType>> = {
  P: 'PERSON',
  R: 'PERSON',
  U: 'PERSON',
  F: 'PERSON',
  L: 'PERSON',
  A: 'ADDRESS',
  S: 'ADDRESS',
  G: 'PLACE',
  C: 'PLACE',
  O: 'ORGANIZATION',
};

function date({ below, pick }: SeededRandom): string {
  const [day, month, year] = [1 + below(28), 1 + below(12), 1950 + below(80)];
  return pick([
    `${day}/${month}/${year}`,
    `${year}-${month}-${day}`,
    `${pick(MONTHS)} ${day}, ${year}`,
    `${day} ${pick(MONTHS)} ${year}`,
    `${day}.${month}.${year}`,
  ]);
}

function phone({ digits }: MadeUp, { pick }: SeededRandom): string {
  return pick([
    `+1-${digits(3)}-${digits(3)}-${digits(4)}`,
    `0${digits(3)} ${digits(6)}`,
    `(${digits(3)}) ${digits(3)}-${digits(4)}`,
    `0${digits(3)} ${digits(2)} ${digits(2)} ${digits(2)}`,
    `${digits(3)} ${digits(3)} ${digits(3)}`,
    `${digits(3)} ${digits(2)} ${digits(3)}`,
    `+${digits(2)} (0)${digits(1)} ${digits(3)} ${digits(3)} ${digits(2)}`,
    `0${digits(1)}.${digits(2)}.${digits(2)}.${digits(2)}.${digits(2)}`,
    `${digits(2)}-${digits(2)}-${digits(2)}-${digits(2)}`,
    `(0${digits(1)}) ${digits(4)} ${digits(4)}`,
    `+${digits(2)} ${digits(4)} ${digits(6)}`,
    digits(10),
  ]);
}

function filler(slot: string, made: MadeUp, random: SeededRandom): string {
  switch (slot) {
    case 'P':
      return made.fullName();
    case 'R':
      return made.surnameFirst();
    case 'U':
      return made.inCapitals();
    case 'F':
      return made.given();
    case 'L':
    case 'Y':
      return made.surname();
    case 'A':
      return made.address();
    case 'S':
      return made.streetLine();
    case 'G':
      return made.city();
    case 'C':
      return made.country();
    case 'O':
      return made.organization();
    case 'X':
      return made.properNoun();
    case 'T':
      return capitalised(made.word());
    case 'N':
      return made.digits(1 + random.below(6));
    case 'E':
      return `${made.given()}.${made.surname()}@${made.word()}.com`.toLowerCase();
    case 'H':
      return phone(made, random);
    case 'D':
      return date(random);
    default:
      return formatFiller(slot, random, made.word) ?? made.word();
  }
}

/** As people type: mostly correct, sometimes in lower or upper case. */
function casing({ below }: SeededRandom): (text: string) => string {
  const kind = below(100);
  const sameLength = (change: (text: string) => string) => (text: string) => {
    const changed = change(text);
    return changed.length === text.length ? changed : text;
  };
  if (kind < 14) return sameLength((text) => text.toLowerCase());
  return kind < 21 ? sameLength((text) => text.toUpperCase()) : (text) => text;
}

function fill(layout: string, made: MadeUp, random: SeededRandom): TaggedText {
  const inCase = casing(random);
  const writer = createWriter();
  let rest = layout;
  for (;;) {
    const match = SLOT.exec(rest);
    if (match === null) break;
    writer.add(inCase(rest.slice(0, match.index)));
    const slot = match[1]!;
    writer.add(inCase(filler(slot, made, random)), TYPES[slot]);
    rest = rest.slice(match.index + match[0].length);
  }
  writer.add(inCase(rest));
  return writer.finish();
}

/** Each layout `times` times, with different values each time. */
export function madeUpTexts(random: SeededRandom, lists: NameLists, times: number): readonly TaggedText[] {
  const made = createMadeUp(random, lists);
  const layouts = [
    ...LAYOUTS_WITH_VALUES,
    ...LAYOUTS_WITHOUT,
    ...PROSE_WITH_VALUES,
    ...PROSE_WITHOUT,
    ...FORMATS_WITH_VALUES,
    ...FORMATS_WITHOUT,
  ];
  return Array.from({ length: times }, () => layouts.map((layout) => fill(layout, made, random))).flat();
}
