import { type Kind, kind } from './kind.ts';
import { completed, digits, filled, luhnHolds, type Maker, patterns } from './values.ts';

const nino: Maker = (random) => {
  const parts = [
    random.pick(['AB', 'CE', 'JK', 'PW']),
    digits(random, 2),
    digits(random, 2),
    digits(random, 2),
    random.pick(['A', 'B', 'C', 'D']),
  ];
  return parts.join(random.pick(['', ' ']));
};
const dni: Maker = (random) => {
  const value = digits(random, 8);
  return value + 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(value) % 23]!;
};
const sin: Maker = (random) =>
  completed(`${1 + random.below(7)}${digits(random, 7)}`, luhnHolds).replace(
    /(...)(...)(...)/,
    random.pick(['$1$2$3', '$1 $2 $3', '$1-$2-$3']),
  );
const pan = patterns('@@@P@####@', '@@@C@####@');
const itin: Maker = (random) => filled(random, `9##-${random.pick(['70', '85', '91', '50'])}-####`);

/** National numbers have different labels per format. */
export const NATIONAL: readonly (readonly [readonly string[], Maker])[] = [
  [['National Insurance number', 'NI number', 'NINO'], nino],
  [['DNI', 'número de DNI'], dni],
  [['SIN', 'social insurance number'], sin],
  [['PAN', 'PAN card number'], pan],
  [['ITIN'], itin],
  [
    ['national ID number', 'national ID', 'identity card number'],
    patterns('#########', '@########', '##########'),
  ],
];

/** Numbers that states issue. */
export const DOCUMENTS: readonly Kind[] = [
  kind('PASSPORT', patterns('#########', '@########', '##@@#####', '@@#######', '@@@######', 'C@#@#####')),
  kind(
    'DRIVER_LICENSE',
    patterns(
      '@#######',
      '@###-####-####',
      '########',
      '@@@@@######@@#@@',
      '@##-##-####',
      '#########',
      '@############',
    ),
  ),
  kind('NATIONAL_ID', nino),
];
