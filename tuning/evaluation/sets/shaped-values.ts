import { type SeededRandom, seededRandom } from '../../samples/random.ts';
import { type Case, placed } from './labelled-values.ts';
import {
  card,
  completed,
  digits,
  email,
  hex,
  iban,
  ip,
  ipOfNoPerson,
  luhnHolds,
  type Maker,
  number,
  patterns,
  plainIban,
  ssn,
  uuid,
} from './values.ts';

/** Values recognised by their own format: most layouts do not name them. */
interface Shaped {
  readonly type: string;
  readonly make: Maker;
  readonly layouts: readonly string[];
  /** Similar text that is not such a value. */
  readonly alike: readonly Maker[];
}

const isbn: Maker = (random) =>
  `978-${number(random, 1)}-${digits(random, 4)}-${digits(random, 4)}-${digits(random, 1)}`;
const wrongCard: Maker = (random) => {
  const right = completed(`4${digits(random, 14)}`, luhnHolds);
  return right.slice(0, -1) + ((Number(right.at(-1)) + 1 + random.below(8)) % 10);
};
const luhnOther: Maker = (random) =>
  completed(`${random.pick(['1', '7', '8', '90'])}${digits(random, 14)}`, luhnHolds);
const wrongIban: Maker = (random) => {
  const right = plainIban(random);
  const at = right.length - 1;
  return right.slice(0, at) + ((Number.parseInt(right[at]!, 36) + 1) % 10);
};
const time: Maker = (random) =>
  `2026-0${1 + random.below(9)}-1${random.below(9)}T1${random.below(9)}:4${random.below(9)}:0${random.below(9)}.${digits(random, 3)}Z`;

/** Sentences, records and code around a value, with little or no cue. */
const AROUND = [
  '{v}',
  'Please send it to {v} today.',
  'see {v}, then close the ticket',
  'He wrote: "{v}" and nothing else.',
  '| 14 | {v} | open |',
  '17;{v};Oslo',
  '["{v}", null, 3]',
  '<td>{v}</td>',
  'Ist {v} richtig?',
  '(was {v} before)',
  'line one\n{v}\nline three',
  'value={v}&page=2',
  '- {v}\n- other',
  '😀 {v} 😀',
];

const SHAPED: readonly Shaped[] = [
  {
    type: 'EMAIL',
    make: email,
    layouts: [...AROUND, 'cc: {v}; bcc: none', 'mailto:{v}?subject=Hello', 'Name <{v}>', 'contact {v}.'],
    alike: [
      patterns(
        'react@##.#.#',
        'icon@#x.png',
        '@user_####',
        'ssh git@host-##:repo',
        'a@b',
        '#### @ #.## each',
      ),
      (random) => `https://user.example/@name${random.below(99)}`,
      patterns(
        'ssh -p #### ops@host-##.example.com',
        'scp a.txt ops@host-##.example.com:/srv/##',
        'ops@host-##.example.com:team/app.git',
        'q@k#.transpose(-#, -1)',
        'next@##.#.#-canary.one',
        'user@####.service',
        'https://ops@host-##.example.com/x',
        'Message-ID: <##########.abc@mail.example.com>',
      ),
    ],
  },
  {
    type: 'SSN',
    make: ssn,
    layouts: [
      ...AROUND.filter((layout) => !layout.includes('value=')),
      'SSN {v}',
      'social: {v}',
      'ssn={v}',
      'SSN#{v}',
      'ssn_{v}',
      'SSN No.{v}',
    ],
    alike: [
      patterns(
        '000-12-####',
        '666-45-####',
        '9##-1#-####',
        '123-00-4567',
        '12-345-6789',
        '###-##-#####',
        '1###-##-####',
      ),
      (random) => `Order no. ${ssn(random)}`,
      (random) => `TICKET-${ssn(random)}`,
      patterns('build 5##.2#.1###', 'order_4########', 'ZIP 4####-1###'),
      (random) => `part ${ssn(random)}-${digits(random, 2)}`,
      isbn,
    ],
  },
  {
    type: 'CREDIT_CARD',
    make: card,
    layouts: [...AROUND, 'card: {v}', 'Card #{v}', 'CC#{v}', 'card no.{v}', 'Amex or Visa {v} exp 12/29'],
    alike: [
      wrongCard,
      luhnOther,
      (random) => `IMEI ${completed(`35${digits(random, 12)}`, luhnHolds)}`,
      (random) => `order ${completed(`4${digits(random, 14)}`, luhnHolds)}`,
      (random) => `tracking number ${completed(`5500${digits(random, 11)}`, luhnHolds)}`,
      (random) => `17${digits(random, 11)}`,
      (random) => hex(random, 32),
      uuid,
      isbn,
    ],
  },
  {
    type: 'IBAN',
    make: iban,
    layouts: [...AROUND, 'IBAN: {v}', 'pay to {v} by Monday', 'Überweisung an {v} bitte'],
    alike: [
      wrongIban,
      patterns('GB##', 'DE## #### ####', 'XX82WEST12345698765432', 'NO-2026-##########'),
      uuid,
      (random) => hex(random, 40),
    ],
  },
  {
    type: 'IP_ADDRESS',
    make: ip,
    layouts: [...AROUND, 'login from {v} refused', 'http://{v}/index', 'allow {v};', 'ip: {v}'],
    alike: [
      patterns(
        'version 1#.#.2.#',
        'v2.1#.0.#',
        'section 4.2.1.#',
        '1.2.3.4.5',
        '300.###.1.1',
        'Chrome/12#.0.60##.1##',
        '1#:2#:4#',
        'std::map<int>',
      ),
      time,
      (random) => `SHA256:${hex(random, 12)}`,
      (random) => [1, 2, 3, 4, 5, 6].map(() => hex(random, 2)).join(':'),
      patterns('127.0.0.1', '0.0.0.0', '255.255.255.0', '#.#', '3.14.15', '12.###.###,50'),
      ipOfNoPerson,
    ],
  },
];

const PER_TYPE = 160;
const ALIKE_PER_TYPE = 120;

const alikeCase = (type: Shaped, random: SeededRandom): Case => {
  const { text } = placed(random.pick(AROUND), '', random.pick(type.alike)(random), type.type);
  return { text, spans: [] };
};

/** Email addresses, social security numbers, cards, IBANs and IP addresses, and text that resembles them. */
export function shapedValues(seed: number): Case[] {
  const random = seededRandom(seed);
  return SHAPED.flatMap((type) => [
    ...Array.from({ length: PER_TYPE }, () =>
      placed(random.pick(type.layouts), '', type.make(random), type.type),
    ),
    ...Array.from({ length: ALIKE_PER_TYPE }, () => alikeCase(type, random)),
  ]);
}

export const SHAPED_TYPES: readonly string[] = SHAPED.map(({ type }) => type);
