import type { SeededRandom } from '../../samples/random.ts';
import type { NameLists } from './languages/lists.ts';
import { capitalised, type Draws, drawsOf, MadeUpNames } from './languages/made-up-names.ts';
import { MadeUpAddresses } from './made-up-addresses.ts';
import { NAMES_OF_THINGS, PROPER_WORDS } from './words.ts';

/** Makes up names, addresses and text that resembles them. */
export interface MadeUp {
  readonly given: () => string;
  readonly surname: () => string;
  readonly fullName: () => string;
  readonly surnameFirst: () => string;
  readonly inCapitals: () => string;
  readonly address: () => string;
  readonly streetLine: () => string;
  readonly city: () => string;
  readonly country: () => string;
  readonly organization: () => string;
  readonly properNoun: () => string;
  readonly word: () => string;
  readonly digits: (length: number) => string;
}

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

function organization(draws: Draws, names: MadeUpNames, addresses: MadeUpAddresses): string {
  const { below, pick, chance, lists } = draws;
  const kind = below(100);
  if (kind < 20) return `${names.surname()} ${pick(COMPANY_ENDS)}`;
  if (kind < 35)
    return `${names.surname()}${pick([' & ', ' and ', '-'])}${names.surname()}${chance(50) ? ` ${pick(COMPANY_ENDS)}` : ''}`;
  if (kind < 40) return `${names.surname()}, ${names.surname()} and ${names.surname()}`;
  if (kind < 45) return pick(NAMES_OF_THINGS);
  if (kind < 60)
    return `${capitalised(pick(lists.words))} ${chance(50) ? `${capitalised(pick(lists.words))} ` : ''}${pick(COMPANY_ENDS)}`;
  if (kind < 75) return `${chance(60) ? addresses.city() : names.surname()} ${pick(INSTITUTIONS)}`;
  if (kind < 80) return `${pick(['Bank', 'University', 'City', 'Museum', 'Port'])} of ${addresses.city()}`;
  if (kind < 90)
    return (
      capitalised(pick(lists.words)) +
      pick(['ly', 'io', 'ify', 'hub', 'soft', 'tech', 'ware', 'Base', 'Cloud', 'net', 'AI'])
    );
  return `${capitalised(pick(lists.words))} ${capitalised(pick(lists.words))}`;
}

export function createMadeUp(random: SeededRandom, lists: NameLists): MadeUp {
  const draws = drawsOf(random, lists);
  const names = new MadeUpNames(draws);
  const addresses = new MadeUpAddresses(draws, names);
  const { pick, chance, digits } = draws;
  return {
    given: () => names.given(),
    surname: () => names.surname(),
    fullName: () => names.fullName(),
    surnameFirst: () => names.surnameFirst(),
    inCapitals: () => names.inCapitals(),
    address: () => addresses.address(),
    streetLine: () => addresses.streetLine(),
    city: () => addresses.city(),
    country: () => addresses.country(),
    organization: () => organization(draws, names, addresses),
    properNoun: () => {
      if (chance(45)) return pick(lists.products);
      return chance(35) ? pick(NAMES_OF_THINGS) : capitalised(pick(PROPER_WORDS));
    },
    word: () => pick(lists.words),
    digits,
  };
}
