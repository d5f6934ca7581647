import type { Kind } from './kind.ts';
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
  {
    entity: 'PASSPORT',
    labels: {
      tuned: [
        'passport number',
        'Passport No.',
        'US passport',
        'passport',
        'passport ID',
        'UK passport number',
        'Passport #',
        'Reisepassnummer',
        'numéro de passeport',
        'travel document number',
        'passport num',
        'Canadian passport',
        'passport nr',
        'numero de pasaporte',
        'German passport number',
        'pp passport no',
        "traveller's passport number",
        'Australian passport no',
        'passport doc number',
        'passaporto n.',
        'current passport #',
        'passport document number',
        'Indian passport number',
        'PASSPORT NO',
        'passport (number)',
        'my old passport',
      ],
      held: ['passport number (as printed)', 'New Zealand passport', 'passport no:', 'PassportNo'],
    },
    make: patterns('#########', '@########', '##@@#####', '@@#######', '@@@######', 'C@#@#####'),
    none: {
      tuned: [
        'You need a passport valid until 12/2031.',
        'Passport fees rose by 165 dollars in 2024.',
        'See passport.js version 0.7.0 for login.',
        'My passport expired on 03/04/2021 and I have order 448190233 open.',
        'Passport photos are 2 x 2 inches, 600 by 600 pixels.',
        'There were 4500000 passports issued last year.',
        'Bring a passport. Flight BA2490 leaves from gate 22 at 18:45.',
        'Call the passport office on 2026-01-05 between 9 and 12.',
        'Two passport stamps from 2018 and 2022 are on page 14.',
        'The passport office moved to 1200 Elm Street in 2023.',
        'passport_version: 20240115',
        'His passport photo file is IMG_20240115.jpg.',
        'A passport index of 190 countries was published on 01.02.2026.',
        'passport-local 1.0.0 depends on passport-strategy 1.x.x',
        'A new passport takes 6 to 8 weeks, or 1200 hours.',
        'Passport 2.0 of the framework shipped on 2025-11-30.',
      ],
      held: [
        'Our passport renewal webinar has 1204567 views.',
        'Passport holders of 27 states, see page 112.',
      ],
    },
  },
  {
    entity: 'DRIVER_LICENSE',
    labels: {
      tuned: [
        "driver's license number",
        'driving licence number',
        'DL#',
        'driver license',
        "Driver's License No.",
        'drivers licence',
        'DL number',
        'driving license ID',
        'Führerscheinnummer',
        'permis de conduire',
        'driver license no',
        'driving licence no.',
        'DL No.',
        "Driver's Licence ID",
        "driver's permit number",
        'carnet de conducir',
        'driver lic no',
        'provisional driving licence number',
        "state driver's license #",
        'driverslicense',
        'rijbewijsnummer',
        'Ohio driver license',
        'driving license number',
        'drivers lic #',
        'DLN',
        'driver licence number',
        "Florida driver's license",
      ],
      held: ["driver's lic. number", 'UK driving licence no', 'driver license ID number', 'Driving Licence'],
    },
    make: patterns(
      '@#######',
      '@###-####-####',
      '########',
      '@@@@@######@@#@@',
      '@##-##-####',
      '#########',
      '@############',
    ),
    none: {
      tuned: [
        'The public library licence covers 12000 books.',
        'Set license_key = ABCD-1234-EFGH-5678 in the installer.',
        'His driving licence was issued in 2019 and runs out in 2029.',
        'The software license covers 2500000 seats in 40 countries.',
        'License plate 8ABC123 was parked outside.',
        'Apache License 2.0, January 2004, see section 4.',
        'You must be 16 to hold a driver permit; 1200450 people do.',
        'A driver license test costs 45 dollars and takes 30 minutes.',
        'The npm license field was added in 20170304.',
        'Driver 12 finished in 1:32.441 on lap 57.',
        'licence fees of 159.00 apply from 2025-04-01',
        'Install the printer driver 31.0.101.2115 first.',
        'Licence agreement dated 12 March 2024, 12000 words.',
        'The MIT License, copyright 2019-2026.',
        'the driver of truck 4411 drove 812345 km',
      ],
      held: ['A pilot licence needs 45 hours; mine cost 12000.', 'driver rating 4.97 from 1204 rides'],
    },
  },
  {
    entity: 'NATIONAL_ID',
    labels: { tuned: [], held: [] },
    make: nino,
    none: {
      tuned: [
        'The pan weighs 1200 g.',
        'It is a sin to waste 100000 litres.',
        'The national id scheme cost 1200000000 to run.',
        'Each product id 99120045 maps to a shelf.',
        'PAN: the pancake order 5512 is ready.',
        'Booking AB123456Z is confirmed for 2 guests.',
        'identity provider build 20260214.3 deployed',
        'In the national identity debate of 2016, 17410742 people voted.',
        'frying pan 28 cm, item 4471120',
        'SINR 12.5 dB at 2400000000 Hz',
        'the id card printer model 88123',
        'The national park has 4500123 trees.',
        'sin(30) = 0.5 and cos(60) = 0.50000000',
        'An id like 88123345 in the url is fine.',
        'national debt of 34000000000 dollars',
      ],
      held: ['The national team scored in minute 78, ticket 88213345.', 'tin can 4006381333931'],
    },
  },
];
