import type { SeededRandom } from '../../../samples/random.ts';
import type { NameLists } from './lists.ts';

/** Capitalises the first letter; the rest stays. */
export const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const SYLLABLES =
  'ba be bo da de dra el fa fen ga gor ha hel ir ja jin ka kel kov la len lo ma mir mo na nor o pa per ra rin ro sa sen shi sta ta ten tor u va vel wa wen ya zan zi'.split(
    ' ',
  );
const FREQUENT_GIVEN = 400;
const FREQUENT_SURNAMES = 1_500;

const PARTICLES = [
  'van',
  'von',
  'de',
  'de la',
  'van der',
  'van den',
  'di',
  'da',
  'dos',
  'al',
  'el',
  'bin',
  'del',
  'du',
  'ter',
  'della',
  'le',
  'ben',
];
const SUFFIXES = ['Jr.', 'Sr.', 'II', 'III', 'PhD', 'MD', 'Jr'];
export const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';

/** The random choices for all made-up text. */
export interface Draws extends SeededRandom {
  readonly lists: NameLists;
  readonly chance: (percent: number) => boolean;
  readonly digits: (length: number) => string;
  /** From 1 to `most`. */
  readonly number: (most: number) => string;
  /** A word that is in no list. */
  readonly invented: () => string;
  /** One of the first `most`. */
  readonly frequent: (names: readonly string[], most: number) => string;
}

export function drawsOf(random: SeededRandom, lists: NameLists): Draws {
  const { below, pick } = random;
  return {
    ...random,
    lists,
    chance: (percent) => below(100) < percent,
    digits: (length) => random.string('0123456789', length),
    number: (most) => String(1 + below(most)),
    invented: () => capitalised(Array.from({ length: 2 + below(2) }, () => pick(SYLLABLES)).join('')),
    frequent: (names, most) => names[below(Math.min(most, names.length))]!,
  };
}

const plain = (name: string): string => name.replace(/[.]/g, '');

export class MadeUpNames {
  readonly #draws: Draws;

  constructor(draws: Draws) {
    this.#draws = draws;
  }

  given(): string {
    const { pick, chance, invented, frequent, lists } = this.#draws;
    const name = chance(40)
      ? frequent(lists.given, FREQUENT_GIVEN)
      : chance(6)
        ? invented()
        : pick(lists.given);
    return capitalised(plain(name));
  }

  surname(): string {
    const { below, pick, invented, frequent, lists } = this.#draws;
    const kind = below(100);
    if (kind < 35) return frequent(lists.surnames, FREQUENT_SURNAMES);
    if (kind < 65) return capitalised(plain(pick(lists.surnames)));
    if (kind < 88) return pick(lists.rareSurnames);
    if (kind < 91) return `O'${pick(lists.rareSurnames)}`;
    if (kind < 93) return `${pick(['Mc', 'Mac'])}${pick(lists.rareSurnames)}`;
    return invented();
  }

  fullName(): string {
    const { below, pick, chance } = this.#draws;
    const kind = below(100);
    const [first, last] = [this.given(), this.surname()];
    if (kind < 55) return `${first} ${last}`;
    if (kind < 63) return `${first} ${pick([...LETTERS])}. ${last}`;
    if (kind < 68) return `${first} ${this.given()} ${last}`;
    if (kind < 73) return `${first} ${last}-${this.surname()}`;
    if (kind < 80) return `${first} ${pick(PARTICLES)} ${last}`;
    if (kind < 84) return `${pick([...LETTERS])}. ${last}`;
    if (kind < 86) return `${pick([...LETTERS])}. ${pick([...LETTERS])}. ${last}`;
    if (kind < 89) return `${first} ${last} ${pick(SUFFIXES)}`;
    if (kind < 92) return `${first} ${this.given()} ${last}`;
    if (kind < 94) return `${first}-${this.given()} ${last}`;
    if (kind < 96) return `${first} ${this.surname()} ${last}`;
    if (kind < 98) return `${first} ${last.toUpperCase()}`;
    return `${pick([...LETTERS])}${chance(50) ? '.' : ''} ${pick([...LETTERS])} ${last}`;
  }

  /** "Roe, Jane", also with initials and in capitals. */
  surnameFirst(): string {
    const { below, pick, chance } = this.#draws;
    const kind = below(100);
    const [first, last] = [this.given(), this.surname()];
    const more = chance(20) ? ` ${pick([...LETTERS])}.` : '';
    if (kind < 60) return `${last}, ${first}${more}`;
    if (kind < 70) return `${last.toUpperCase()}, ${first}${more}`;
    if (kind < 80) return `${last}, ${first}${more}`.toUpperCase();
    if (kind < 85) return `${last.toUpperCase()} ${first}`;
    if (kind < 90) return `${last}, ${pick([...LETTERS])}.${chance(40) ? ` ${pick([...LETTERS])}.` : ''}`;
    return `${pick(PARTICLES)} ${last}, ${first}`;
  }

  /** "JANE ROE", "ROE Jane". */
  inCapitals(): string {
    const kind = this.#draws.below(100);
    if (kind < 55) return `${this.given()} ${this.surname()}`.toUpperCase();
    if (kind < 70) return this.fullName().toUpperCase();
    if (kind < 80) return `${this.given()} ${this.surname().toUpperCase()}`;
    return `${this.surname().toUpperCase()} ${this.given()}`;
  }
}
