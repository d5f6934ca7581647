import type { EntityType } from '../../../../schemas/vocabulary.ts';
import {
  completed,
  digits,
  filled,
  hex,
  letters,
  luhnHolds,
  type Maker,
  patterns,
  wallet,
} from './values.ts';

/** What a kind of value is called and looks like. `tuned` was looked at while the detectors were written. */
export interface Kind {
  readonly entity: EntityType;
  readonly labels: { readonly tuned: readonly string[]; readonly held: readonly string[] };
  readonly make: Maker;
  /** Texts that speak of the kind, or look alike, and hold none. */
  readonly none: { readonly tuned: readonly string[]; readonly held: readonly string[] };
}

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

const imei: Maker = (random) => completed(`35${digits(random, 12)}`, luhnHolds);
const mac: Maker = (random) => Array.from({ length: 6 }, () => hex(random, 2)).join(random.pick([':', '-']));
const uuid: Maker = (random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');

const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

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

export const KINDS: readonly Kind[] = [
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
      ],
      held: [
        'passport num',
        'Canadian passport',
        'passport nr',
        'numero de pasaporte',
        'German passport number',
        'pp passport no',
      ],
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
      ],
      held: [
        'Two passport stamps from 2018 and 2022 are on page 14.',
        'The passport office moved to 1200 Elm Street in 2023.',
        'passport_version: 20240115',
        'His passport photo file is IMG_20240115.jpg.',
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
      ],
      held: [
        'driver license no',
        'driving licence no.',
        'DL No.',
        "Driver's Licence ID",
        "driver's permit number",
        'carnet de conducir',
      ],
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
      ],
      held: [
        'A driver license test costs 45 dollars and takes 30 minutes.',
        'The npm license field was added in 20170304.',
        'Driver 12 finished in 1:32.441 on lap 57.',
        'licence fees of 159.00 apply from 2025-04-01',
      ],
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
      ],
      held: [
        'In the national identity debate of 2016, 17410742 people voted.',
        'frying pan 28 cm, item 4471120',
        'SINR 12.5 dB at 2400000000 Hz',
        'the id card printer model 88123',
      ],
    },
  },
  {
    entity: 'CVV',
    labels: {
      tuned: [
        'CVV',
        'CVC',
        'card security code',
        'cvv2',
        'CVV code',
        'CVC2',
        'card verification value',
        '3 digits on the back',
      ],
      held: ['CVV number', 'card CVC', 'my cvv', 'CSC code of the card', "card's CVV2"],
    },
    make: patterns('###', '###', '####'),
    none: {
      tuned: [
        'The CVV has 3 digits.',
        'Enter the security code 482913 that we texted.',
        'A CVV check failed 120 times today.',
        'The cvc is a 3 or 4 digit code on the card.',
        'Security code for the door: 4821',
        'HTTP 402, cvv_mismatch',
        'the CV was 120 pages',
      ],
      held: [
        'Never store a CVV longer than 30 days.',
        'The CVV is printed on 100 percent of the cards.',
        'cvc5 solver version 1.2.0',
      ],
    },
  },
  {
    entity: 'BANK_ACCOUNT',
    labels: {
      tuned: [
        'account number',
        'bank account',
        'checking account number',
        'Acct #',
        'Account No.',
        'savings account',
        'acct no',
        'a/c no',
        'Kontonummer',
        'bank account number',
        'número de cuenta',
      ],
      held: [
        'checking acct',
        'bank account no.',
        'account num',
        'beneficiary account number',
        'my bank acct number',
        'numéro de compte',
      ],
    },
    make: patterns('########', '##########', '############', '####-####-##'),
    none: {
      tuned: [
        'I have 3 accounts with you since 2014.',
        'AWS account number 123456789012 is over budget.',
        'The account was opened on 2019-04-12 with 25000 dollars.',
        'Our Twitter account has 1250000 followers.',
        'On account of rain, 20000000 people stayed home.',
        'The routing table has 12000000 routes.',
        'Sort code examples by 3 keys, please.',
      ],
      held: [
        'The account manager called 12 clients in 2025.',
        'Create account 3 of 10.',
        'bank holiday 20260504',
        'accountability report 2024-2025, page 1204',
      ],
    },
  },
  {
    entity: 'CRYPTO_WALLET',
    labels: {
      tuned: [
        'wallet address',
        'BTC address',
        'wallet',
        'crypto wallet',
        'Bitcoin address',
        'deposit address',
        'payout wallet',
        'receiving address',
      ],
      held: ['cold wallet', 'donation address', 'my wallet', 'withdrawal address', 'hot wallet address'],
    },
    make: wallet,
    none: {
      tuned: [
        'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
        '0x1f4 is 500',
        'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'build id 1BoatSLRHtKNngkdXEeobR76b53LETtpyX',
        'nonce 3QJmV3qfvL9SuYo34YihAf3sRCW3qSinyC1',
        'The method nameForTheVeryLongIdentifier1InTheClass is unused',
        'memory at 0x00007ffd5e8c3b10',
      ],
      held: [
        'The tx hash is 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
        'docker image sha 4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d',
        'https://example.com/ThisIsALongPathSegmentWithoutAnyMeaning2024',
      ],
    },
  },
  {
    entity: 'MEDICAL_RECORD_NUMBER',
    labels: {
      tuned: [
        'MRN',
        'medical record number',
        'patient ID',
        'Medical Record #',
        'MRN no.',
        'chart number',
        'hospital number',
        'medical record no.',
        'patient number',
        'Patientennummer',
      ],
      held: [
        'hospital MRN',
        'patient record number',
        'Med. Rec. No',
        'medical record ID',
        'Patient No.',
        'pt id',
      ],
    },
    make: patterns('#######', '########', '@@######', 'MR-######', '###-##-###', '@#######'),
    none: {
      tuned: [
        'The record is 100000 metres.',
        'The chart shows 2500000 views.',
        'The hospital number of beds rose to 12000.',
        'Medical records must be kept for 10 years, until 2036.',
        'The patient weighed 82 kg on 12/04/2025.',
        'Chart 14 of 20000 loaded in 350 ms',
        'a world record of 9580000 microseconds',
      ],
      held: [
        'Patients 12 to 300 were seen in 2024.',
        'The medical record was opened at 14:30 on 2026-03-01.',
        'mrn lookup took 1204 ms',
      ],
    },
  },
  {
    entity: 'HEALTH_INSURANCE_ID',
    labels: {
      tuned: [
        'health insurance number',
        'insurance ID',
        'insurance member ID',
        'health insurance ID',
        'health plan member ID',
        'insurance policy number',
        'subscriber ID',
        'Medicaid ID',
        'health card number',
      ],
      held: [
        'medical insurance number',
        'insurance card number',
        'health insurance policy no',
        'insurance no.',
        'health insurance member number',
      ],
    },
    make: patterns('@@@#########', '#########', '@##########', '@@@-####-####', '####-####-###'),
    none: {
      tuned: [
        'Car insurance number plates are checked.',
        'My gym membership number is 88123441.',
        'The car insurance policy number is 7781200945.',
        'Health insurance costs 12500000 a year for the firm.',
        'Members of the chess club: 10450023 worldwide.',
        'Insurance coverage begins on 2026-01-01 and ends 2026-12-31.',
        'policy version 2026011203 was published',
      ],
      held: [
        'Health insurance premiums went up 7 percent in 2025.',
        'Pet insurance policy number 7781200.',
        'The insurance paid 12000 euros on 2025-08-01.',
      ],
    },
  },
  {
    entity: 'PRESCRIPTION_NUMBER',
    labels: {
      tuned: [
        'prescription number',
        'Rx number',
        'Rx#',
        'Rx No.',
        'prescription no.',
        'prescription #',
        'prescription ID',
        'Rezeptnummer',
      ],
      held: ['Rx ID', 'rx_number', 'script number', 'prescription no', 'Prescription Nr.'],
    },
    make: patterns('#######', '########', '@#######', '######-####', '@@-#######'),
    none: {
      tuned: [
        'Radeon RX 7900 XTX with 24576 MB',
        'The prescription says 500 mg twice a day.',
        'RX bytes:12045567 TX bytes:998812',
        'Prescription drugs cost 450000000 dollars in 2023.',
        'Take the prescription to room 1204 before 17:30.',
        'rx packets 4410023 dropped',
        'glasses with prescription -2.50 / -1.75',
      ],
      held: [
        'The RX 6700 XT costs 329 dollars.',
        'Prescription 2 of 3 is ready.',
        'rx power -12.4 dBm on port 1204567',
      ],
    },
  },
  {
    entity: 'BIOMETRIC_ID',
    labels: {
      tuned: [
        'fingerprint template ID',
        'face ID hash',
        'biometric ID',
        'fingerprint ID',
        'voiceprint ID',
        'iris scan ID',
        'face template',
        'biometric template',
        'facial recognition ID',
        'retina scan reference',
      ],
      held: [
        'voice print ID',
        'fingerprint record',
        'face scan ID',
        'palm scan ID',
        'biometric hash',
        'iris template ID',
      ],
    },
    make: (random) =>
      random.pick([
        () => `FP-${digits(random, 6)}`,
        () => hex(random, 32),
        () => uuid(random),
        () => `BIO${digits(random, 8)}`,
        () => `${letters(random, 2)}-${digits(random, 4)}-${digits(random, 4)}`,
      ])(),
    none: {
      tuned: [
        'SSH key fingerprint 16:27:ac:a5:76:28:2d:36',
        'Face ID works from 30 cm.',
        'Certificate fingerprint 9f86d081884c7d659a2feaa0c55ad015',
        'The fingerprint sensor costs 120000 won.',
        'Browser fingerprint entropy is 18 bits, 286000 values',
        'Voice template 3 of 12 was renamed in 2024.',
        'The iris flowers sold 1200345 stems.',
      ],
      held: [
        'Fingerprints of 12000 visitors were taken in 2024.',
        'The face recognition demo runs at 30 fps on 1080p.',
        'SHA256 fingerprint of the key: 4f53cda18c2baa0c',
      ],
    },
  },
  {
    entity: 'DEVICE_ID',
    labels: { tuned: ['IMEI', 'MAC address'], held: [] },
    make: (random) => random.pick([imei, mac])(random),
    none: {
      tuned: [
        'The serial was 12 episodes long.',
        'uptime 12:34:56:78',
        'request id 550e8400-e29b-41d4-a716-446655440000',
        'The device idles at 1200000 cycles.',
        'Serial killers: 12000345 readers.',
        'range aa:bb:cc is a vendor prefix',
        'On my Mac 20260101 is shown as the date.',
      ],
      held: [
        'Device 12 of 40 is online since 2026-01-04.',
        'Serial output at 115200 baud',
        'mac and cheese for 12, order 4471120',
      ],
    },
  },
  {
    entity: 'SESSION_TOKEN',
    labels: {
      tuned: [
        'session token',
        'PHPSESSID',
        'session_id',
        'JSESSIONID',
        'connect.sid',
        'session cookie',
        'sessionToken',
        'auth token',
        'access_token',
      ],
      held: ['session key', 'refresh token', 'X-Auth-Token', 'ASP.NET_SessionId', 'login session ID'],
    },
    make: (random) => random.string(TOKEN, 28 + random.below(12)),
    none: {
      tuned: [
        'The session lasted 45 minutes.',
        'session: planning-meeting-for-the-new-office-building',
        'token budget: 128000 per request',
        'session_timeout=3600 and session_path=/var/lib/sessions',
        'The bearer of good news came at 12:30.',
        'session = requests.Session()',
        'session: 2026-02-14T12:00:00Z to 2026-02-14T13:30:00Z',
      ],
      held: [
        'Session 12 starts at 14:30 in room B204.',
        'The token bucket refills 1000 per second.',
        'session-based-recommendation-with-graph-neural-networks-2019',
        'access token lifetime: 3600',
      ],
    },
  },
];

/** Devices have labels of their own per shape. */
export const DEVICES: readonly (readonly [readonly string[], Maker])[] = [
  [['IMEI', 'IMEI number', 'phone IMEI'], imei],
  [['MAC address', 'Wi-Fi MAC', 'MAC'], mac],
  [['advertising ID', 'IDFA', 'device ID', 'GAID'], uuid],
  [['Android ID'], (random) => hex(random, 16)],
  [['device serial number', 'laptop serial number'], patterns('C02@#@#*@#*@', 'R58M#######')],
];
