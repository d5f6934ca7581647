import { capitalised, type Draws, LETTERS, type MadeUpNames } from './languages/made-up-names.ts';
import { PLACE_WORDS } from './words.ts';

const US_STATES =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC'.split(
    ' ',
  );
const STATE_NAMES = [
  'California',
  'Texas',
  'New York',
  'Florida',
  'Ohio',
  'Oregon',
  'Illinois',
  'Washington',
  'New Jersey',
  'North Carolina',
  'Georgia',
  'Virginia',
  'Arizona',
  'Massachusetts',
  'Michigan',
];
const PROVINCES = 'ON QC BC AB MB NS SK NB NL'.split(' ');
const AU_STATES = 'NSW VIC QLD WA SA TAS ACT'.split(' ');
const DIRECTIONS = ['N', 'S', 'E', 'W', 'NW', 'SE', 'North', 'South', 'West', 'East', 'N.', 'W.'];
const SHORT_SUFFIXES = [
  'St',
  'Ave',
  'Rd',
  'Blvd',
  'Dr',
  'Ln',
  'Ct',
  'Way',
  'Pl',
  'Street',
  'Avenue',
  'Road',
  'Lane',
  'Drive',
  'Court',
  'Terrace',
  'Place',
  'Boulevard',
  'Circle',
  'St.',
  'Ave.',
  'Rd.',
  'Close',
  'Crescent',
  'Gardens',
  'Row',
  'Hill',
  'Grove',
];
const UNITS = ['Apt', 'Apt.', 'Suite', 'Unit', '#', 'Floor', 'Flat', 'Ste', 'Apartment', 'Room', 'Building'];
const GERMAN_ENDS = ['straße', 'strasse', 'weg', 'allee', 'platz', 'gasse', 'ring', 'str.', 'damm', 'ufer'];
const DUTCH_ENDS = ['straat', 'laan', 'weg', 'plein', 'gracht', 'kade', 'dijk'];
const NORDIC_ENDS = [
  'gatan',
  'vägen',
  'gata',
  'veien',
  'vej',
  'gade',
  'katu',
  'tie',
  'vænget',
  'stien',
  'bakken',
];
const ROMANCE_STARTS = [
  'Rue',
  'Avenue',
  'Boulevard',
  'Place',
  'Allée',
  'Chemin',
  'Quai',
  'Impasse',
  'rue',
  'avenue',
  'Calle',
  'Avenida',
  'Plaza',
  'Paseo',
  'Av.',
  'C/',
  'Via',
  'Viale',
  'Piazza',
  'Corso',
  'Rua',
  'Travessa',
  'Praça',
  'Alameda',
  'Estrada',
];
const SLAVIC_STARTS = ['ul.', 'al.', 'os.', 'pl.', 'ulica', 'ul', 'ulice', 'ул.', 'улица'];
const ROMANCE_LINKS = ['', '', 'de ', 'de la ', 'du ', "de l'", 'del ', 'della ', 'da ', 'dos ', 'des '];
/** Addresses and their parts, in the formats of many countries. */
export class MadeUpAddresses {
  readonly #draws: Draws;
  readonly #names: MadeUpNames;
  /** Towns that have names of persons. */
  readonly #alsoNames: readonly string[];

  constructor(draws: Draws, names: MadeUpNames) {
    const { lists } = draws;
    this.#draws = draws;
    this.#names = names;
    const persons = new Set([...lists.given, ...lists.surnames].map((name) => name.toLowerCase()));
    this.#alsoNames = [...lists.places, ...PLACE_WORDS].filter((place) => persons.has(place.toLowerCase()));
  }

  address(): string {
    const { pick, chance } = this.#draws;
    const separator = pick([', ', ', ', ', ', '\n', '\n', ' ', '\n  ']);
    if (chance(10)) return [this.streetLine(), this.city(), this.country()].join(separator);
    const parts = [this.streetLine()];
    if (chance(30)) parts.push(this.#unit());
    if (chance(85)) parts.push(this.#locality(separator));
    if (chance(22)) parts.push(this.country());
    return parts.join(separator);
  }

  streetLine(): string {
    const { below, pick, chance, digits, number, invented, lists } = this.#draws;
    const kind = below(100);
    const house = `${number(pick([20, 200, 2_000, 20_000]))}${chance(8) ? pick(['a', 'B', 'bis', '-3', '/2', '/14', ' A', 'C']) : ''}`;
    if (kind < 6) {
      return `${house} ${chance(50) ? `${pick(DIRECTIONS)} ` : ''}${1 + below(130)}${pick(['th', 'th', 'st', 'nd', 'rd'])} ${pick(SHORT_SUFFIXES)}`;
    }
    if (kind < 45) {
      const suffix = chance(70) ? pick(SHORT_SUFFIXES) : pick(lists.streetSuffixes);
      const direction = chance(12) ? `${pick(DIRECTIONS)} ` : '';
      return `${house} ${direction}${this.#streetBase()} ${suffix}`;
    }
    if (kind < 53) return `${this.#streetBase()}${pick(GERMAN_ENDS)} ${house}`;
    if (kind < 57) return `${this.#names.surname()}${pick(DUTCH_ENDS)} ${house}`;
    if (kind < 63) return `${capitalised(pick(lists.words))}${pick(NORDIC_ENDS)} ${house}`;
    if (kind < 71) {
      const street = `${pick(ROMANCE_STARTS)} ${pick(ROMANCE_LINKS)}${chance(50) ? this.#names.surname() : this.#names.fullName()}`;
      return chance(50)
        ? `${house}${chance(50) ? ',' : ''} ${street}`
        : `${street}${chance(60) ? ',' : ''} ${house}`;
    }
    if (kind < 75) return `${pick(SLAVIC_STARTS)} ${this.#names.surname()} ${house}`;
    if (kind < 86)
      return chance(50)
        ? `${capitalised(pick(lists.streets))} ${house}`
        : `${house} ${capitalised(pick(lists.streets))}`;
    if (kind < 92)
      return `${pick(['PO Box', 'P.O. Box', 'P. O. Box', 'Postfach', 'Box', 'BP'])} ${number(9_999)}`;
    if (kind < 94) return `${pick(['PSC', 'Unit', 'CMR'])} ${digits(4)}, Box ${digits(4)}`;
    if (kind < 95)
      return `${number(9)}-${number(30)}-${number(30)} ${invented()}${chance(50) ? `-${invented()}` : ''}${chance(60) ? `, ${invented()}-${pick(['ku', 'shi', 'gu'])}` : ''}`;
    if (kind < 96)
      return `${house} ${this.#streetBase()} ${pick(SHORT_SUFFIXES)}, ${pick(['Andheri West', 'Sector 12', 'Phase II', 'Block C', 'MG Road'])}`;
    return `${chance(50) ? 'the corner of ' : ''}${this.#streetBase()} ${pick(SHORT_SUFFIXES)} and ${this.#streetBase()} ${pick(SHORT_SUFFIXES)}`;
  }

  city(): string {
    const { below, pick, lists } = this.#draws;
    const kind = below(10);
    if (kind < 2) return capitalised(pick(this.#alsoNames));
    if (kind < 6) return capitalised(pick(lists.places));
    if (kind < 8) return capitalised(pick(PLACE_WORDS));
    return `${capitalised(pick(lists.words))}${pick(['ville', ' Springs', 'ton', ' City', 'field', ' Falls', ' Park', 'ham', 'burg'])}`;
  }

  country(): string {
    return this.#draws.pick(this.#draws.lists.countries);
  }

  #streetBase(): string {
    const { below, pick, lists } = this.#draws;
    const kind = below(10);
    if (kind < 3) return this.#names.surname();
    if (kind < 5) return this.#names.given();
    if (kind < 8) return capitalised(pick(lists.words));
    return pick([
      'Main',
      'Oak',
      'Elm',
      'High',
      'Church',
      'Park',
      '2nd',
      '5th',
      '42nd',
      '1st',
      '14th',
      'Maple',
      'Station',
      'Cedar',
      'Mill',
      'Lake',
      'King',
      'Queen',
      'Victoria',
      'Sunset',
    ]);
  }

  #unit(): string {
    const { pick, chance, number } = this.#draws;
    const name = pick(UNITS);
    return `${name}${name === '#' ? '' : ' '}${chance(70) ? number(999) : pick([...LETTERS]) + (chance(30) ? number(20) : '')}`;
  }

  #locality(separator: string): string {
    const { below, pick, chance, digits } = this.#draws;
    const kind = below(100);
    if (kind < 40) {
      const state = chance(85) ? pick(US_STATES) : pick(STATE_NAMES);
      return `${this.city()}, ${state}${chance(85) ? ` ${digits(5)}${chance(10) ? `-${digits(4)}` : ''}` : ''}`;
    }
    if (kind < 52) return `${this.city()}${separator}${this.#postcodeUk()}`;
    if (kind < 66)
      return `${chance(20) ? pick(['D-', 'F-', 'CH-']) : ''}${digits(pick([4, 5]))} ${this.city()}`;
    if (kind < 70) return `${digits(4)} ${pick([...LETTERS])}${pick([...LETTERS])} ${this.city()}`;
    if (kind < 76)
      return `${this.city()}, ${pick(PROVINCES)} ${pick([...LETTERS])}${below(10)}${pick([...LETTERS])} ${below(10)}${pick([...LETTERS])}${below(10)}`;
    if (kind < 80) return `${this.city()} ${pick(AU_STATES)} ${digits(4)}`;
    if (kind < 83)
      return `${pick([`${digits(2)}-${digits(3)}`, `${digits(3)} ${digits(2)}`, `${digits(5)}-${digits(3)}`])} ${this.city()}`;
    if (kind < 84) return `${this.city()} ${digits(3)}-${digits(4)}`;
    if (kind < 88) return `${this.city()}${chance(50) ? `, ${this.country()}` : ''}`;
    return `${this.city()} ${digits(5)}`;
  }

  #postcodeUk(): string {
    const { pick, number, below } = this.#draws;
    return `${pick([...LETTERS])}${pick([...LETTERS])}${number(20)} ${below(10)}${pick([...LETTERS])}${pick([...LETTERS])}`;
  }
}
