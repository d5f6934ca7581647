import type { SeededRandom } from '../../evaluation/random.ts';
import type { NameLists } from './lists.ts';
import { NAMES_OF_THINGS, PLACE_WORDS, PROPER_WORDS } from './words.ts';

/** Makes up names, addresses and what looks like them. */
export interface MadeUp {
  readonly given: () => string;
  readonly surname: () => string;
  readonly fullName: () => string;
  readonly address: () => string;
  readonly streetLine: () => string;
  readonly city: () => string;
  readonly country: () => string;
  readonly organization: () => string;
  readonly properNoun: () => string;
  readonly word: () => string;
  readonly digits: (length: number) => string;
}

/** Case-folded first letter up; the rest stays. */
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
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
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
const COMPANY_ENDS = [
  'Inc',
  'Inc.',
  'LLC',
  'Ltd',
  'Ltd.',
  'GmbH',
  'Corp',
  'Group',
  'Partners',
  'Holdings',
  'Solutions',
  'Systems',
  'Bank',
  'Consulting',
  'Labs',
  'Technologies',
  'Media',
  'Insurance',
  'Capital',
  'Foundation',
  'Software',
  'AG',
  'S.A.',
  'plc',
];
const INSTITUTIONS = [
  'University',
  'Hospital',
  'College',
  'Post Office',
  'Airport',
  'Museum',
  'City Council',
  'Public Library',
  'High School',
  'Times',
  'Stadium',
  'Orchestra',
  'Police Department',
];

export function createMadeUp(random: SeededRandom, lists: NameLists): MadeUp {
  const { below, pick } = random;
  const chance = (percent: number): boolean => below(100) < percent;
  const digits = (length: number): string => random.string('0123456789', length);
  const number = (most: number): string => String(1 + below(most));
  const invented = (): string =>
    capitalised(Array.from({ length: 2 + below(2) }, () => pick(SYLLABLES)).join(''));
  const frequent = (names: readonly string[], most: number): string =>
    names[below(Math.min(most, names.length))]!;
  const plain = (name: string): string => name.replace(/[.]/g, '');

  const given = (): string => {
    const name = chance(40)
      ? frequent(lists.given, FREQUENT_GIVEN)
      : chance(6)
        ? invented()
        : pick(lists.given);
    return capitalised(plain(name));
  };
  const surname = (): string => {
    const kind = below(100);
    if (kind < 35) return frequent(lists.surnames, FREQUENT_SURNAMES);
    if (kind < 65) return capitalised(plain(pick(lists.surnames)));
    if (kind < 88) return pick(lists.rareSurnames);
    if (kind < 91) return `O'${pick(lists.rareSurnames)}`;
    if (kind < 93) return `${pick(['Mc', 'Mac'])}${pick(lists.rareSurnames)}`;
    return invented();
  };
  const fullName = (): string => {
    const kind = below(100);
    const [first, last] = [given(), surname()];
    if (kind < 55) return `${first} ${last}`;
    if (kind < 63) return `${first} ${pick([...LETTERS])}. ${last}`;
    if (kind < 68) return `${first} ${given()} ${last}`;
    if (kind < 73) return `${first} ${last}-${surname()}`;
    if (kind < 80) return `${first} ${pick(PARTICLES)} ${last}`;
    if (kind < 84) return `${pick([...LETTERS])}. ${last}`;
    if (kind < 86) return `${pick([...LETTERS])}. ${pick([...LETTERS])}. ${last}`;
    if (kind < 89) return `${first} ${last} ${pick(SUFFIXES)}`;
    if (kind < 92) return `${first} ${given()} ${last}`;
    if (kind < 94) return `${first}-${given()} ${last}`;
    if (kind < 96) return `${first} ${surname()} ${last}`;
    if (kind < 98) return `${first} ${last.toUpperCase()}`;
    return `${pick([...LETTERS])}${chance(50) ? '.' : ''} ${pick([...LETTERS])} ${last}`;
  };
  const names = new Set([...lists.given, ...lists.surnames].map((name) => name.toLowerCase()));
  /** Towns that are called like persons. */
  const alsoNames = [...lists.places, ...PLACE_WORDS].filter((place) => names.has(place.toLowerCase()));
  const city = (): string => {
    const kind = below(10);
    if (kind < 2) return capitalised(pick(alsoNames));
    if (kind < 6) return capitalised(pick(lists.places));
    if (kind < 8) return capitalised(pick(PLACE_WORDS));
    return `${capitalised(pick(lists.words))}${pick(['ville', ' Springs', 'ton', ' City', 'field', ' Falls', ' Park', 'ham', 'burg'])}`;
  };
  const country = (): string => pick(lists.countries);
  const streetBase = (): string => {
    const kind = below(10);
    if (kind < 3) return surname();
    if (kind < 5) return given();
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
  };
  const streetLine = (): string => {
    const kind = below(100);
    const house = `${number(pick([20, 200, 2_000, 20_000]))}${chance(8) ? pick(['a', 'B', 'bis', '-3', '/2', '/14', ' A', 'C']) : ''}`;
    if (kind < 6) {
      return `${house} ${chance(50) ? `${pick(DIRECTIONS)} ` : ''}${1 + below(130)}${pick(['th', 'th', 'st', 'nd', 'rd'])} ${pick(SHORT_SUFFIXES)}`;
    }
    if (kind < 45) {
      const suffix = chance(70) ? pick(SHORT_SUFFIXES) : pick(lists.streetSuffixes);
      const direction = chance(12) ? `${pick(DIRECTIONS)} ` : '';
      return `${house} ${direction}${streetBase()} ${suffix}`;
    }
    if (kind < 53) return `${streetBase()}${pick(GERMAN_ENDS)} ${house}`;
    if (kind < 57) return `${surname()}${pick(DUTCH_ENDS)} ${house}`;
    if (kind < 63) return `${capitalised(pick(lists.words))}${pick(NORDIC_ENDS)} ${house}`;
    if (kind < 71) {
      const street = `${pick(ROMANCE_STARTS)} ${pick(ROMANCE_LINKS)}${chance(50) ? surname() : fullName()}`;
      return chance(50)
        ? `${house}${chance(50) ? ',' : ''} ${street}`
        : `${street}${chance(60) ? ',' : ''} ${house}`;
    }
    if (kind < 75) return `${pick(SLAVIC_STARTS)} ${surname()} ${house}`;
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
      return `${house} ${streetBase()} ${pick(SHORT_SUFFIXES)}, ${pick(['Andheri West', 'Sector 12', 'Phase II', 'Block C', 'MG Road'])}`;
    return `${chance(50) ? 'the corner of ' : ''}${streetBase()} ${pick(SHORT_SUFFIXES)} and ${streetBase()} ${pick(SHORT_SUFFIXES)}`;
  };
  const unit = (): string => {
    const name = pick(UNITS);
    return `${name}${name === '#' ? '' : ' '}${chance(70) ? number(999) : pick([...LETTERS]) + (chance(30) ? number(20) : '')}`;
  };
  const postcodeUk = (): string =>
    `${pick([...LETTERS])}${pick([...LETTERS])}${number(20)} ${below(10)}${pick([...LETTERS])}${pick([...LETTERS])}`;
  const locality = (separator: string): string => {
    const kind = below(100);
    if (kind < 40) {
      const state = chance(85) ? pick(US_STATES) : pick(STATE_NAMES);
      return `${city()}, ${state}${chance(85) ? ` ${digits(5)}${chance(10) ? `-${digits(4)}` : ''}` : ''}`;
    }
    if (kind < 52) return `${city()}${separator}${postcodeUk()}`;
    if (kind < 66) return `${chance(20) ? pick(['D-', 'F-', 'CH-']) : ''}${digits(pick([4, 5]))} ${city()}`;
    if (kind < 70) return `${digits(4)} ${pick([...LETTERS])}${pick([...LETTERS])} ${city()}`;
    if (kind < 76)
      return `${city()}, ${pick(PROVINCES)} ${pick([...LETTERS])}${below(10)}${pick([...LETTERS])} ${below(10)}${pick([...LETTERS])}${below(10)}`;
    if (kind < 80) return `${city()} ${pick(AU_STATES)} ${digits(4)}`;
    if (kind < 83)
      return `${pick([`${digits(2)}-${digits(3)}`, `${digits(3)} ${digits(2)}`, `${digits(5)}-${digits(3)}`])} ${city()}`;
    if (kind < 84) return `${city()} ${digits(3)}-${digits(4)}`;
    if (kind < 88) return `${city()}${chance(50) ? `, ${country()}` : ''}`;
    return `${city()} ${digits(5)}`;
  };
  const address = (): string => {
    const separator = pick([', ', ', ', ', ', '\n', '\n', ' ', '\n  ']);
    if (chance(10)) return [streetLine(), city(), country()].join(separator);
    const parts = [streetLine()];
    if (chance(30)) parts.push(unit());
    if (chance(85)) parts.push(locality(separator));
    if (chance(22)) parts.push(country());
    return parts.join(separator);
  };
  const organization = (): string => {
    const kind = below(100);
    if (kind < 20) return `${surname()} ${pick(COMPANY_ENDS)}`;
    if (kind < 35)
      return `${surname()}${pick([' & ', ' and ', '-'])}${surname()}${chance(50) ? ` ${pick(COMPANY_ENDS)}` : ''}`;
    if (kind < 40) return `${surname()}, ${surname()} and ${surname()}`;
    if (kind < 45) return pick(NAMES_OF_THINGS);
    if (kind < 60)
      return `${capitalised(pick(lists.words))} ${chance(50) ? `${capitalised(pick(lists.words))} ` : ''}${pick(COMPANY_ENDS)}`;
    if (kind < 75) return `${chance(60) ? city() : surname()} ${pick(INSTITUTIONS)}`;
    if (kind < 80) return `${pick(['Bank', 'University', 'City', 'Museum', 'Port'])} of ${city()}`;
    if (kind < 90)
      return (
        capitalised(pick(lists.words)) +
        pick(['ly', 'io', 'ify', 'hub', 'soft', 'tech', 'ware', 'Base', 'Cloud', 'net', 'AI'])
      );
    return `${capitalised(pick(lists.words))} ${capitalised(pick(lists.words))}`;
  };
  return {
    given,
    surname,
    fullName,
    address,
    streetLine,
    city,
    country,
    organization,
    properNoun: () => (chance(35) ? pick(NAMES_OF_THINGS) : capitalised(pick(PROPER_WORDS))),
    word: () => pick(lists.words),
    digits,
  };
}
