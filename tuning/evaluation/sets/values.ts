import { hash } from 'node:crypto';
import { keccakOfAscii } from '#core/detect/find/checks/keccak.ts';
import type { SeededRandom } from '../../samples/random.ts';

/** Made-up values with valid check digits, for the evaluation sets. Independent of the detectors' checks. */

export type Maker = (random: SeededRandom) => string;

const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HEX = '0123456789abcdef';

export const digits = (random: SeededRandom, count: number): string => random.string(DIGITS, count);
export const letters = (random: SeededRandom, count: number): string => random.string(UPPER, count);
export const hex = (random: SeededRandom, count: number): string => random.string(HEX, count);

/** A number without a leading zero. */
export const number = (random: SeededRandom, count: number): string =>
  random.string(DIGITS.slice(1), 1) + digits(random, count - 1);

/** `#` is a digit, `@` an upper-case letter, `*` either; other characters are literal. */
export const filled = (random: SeededRandom, pattern: string): string =>
  pattern
    .replaceAll('#', () => digits(random, 1))
    .replaceAll('@', () => letters(random, 1))
    .replaceAll('*', () => random.string(UPPER + DIGITS, 1));

/** Makes values from patterns. */
export const patterns =
  (...all: readonly string[]): Maker =>
  (random) =>
    filled(random, random.pick(all));

/** The first of the ten possible last digits that satisfies `check`. */
export function completed(head: string, check: (whole: string) => boolean): string {
  return [...DIGITS].map((digit) => head + digit).find(check) ?? `${head}0`;
}

export function luhnHolds(value: string): boolean {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = [...value]
    .reverse()
    .reduce((total, digit, i) => total + (i % 2 === 1 ? doubled[Number(digit)]! : Number(digit)), 0);
  return sum % 10 === 0;
}

const grouped = (value: string, lengths: readonly number[], separator: string): string =>
  lengths
    .map((length, i) => {
      const before = lengths.slice(0, i).reduce((sum, each) => sum + each, 0);
      return value.slice(before, before + length);
    })
    .join(separator);

const CARD_HEADS = [
  ['4', 16],
  ['51', 16],
  ['55', 16],
  ['2345', 16],
  ['34', 15],
  ['37', 15],
  ['6011', 16],
  ['65', 16],
  ['3530', 16],
  ['36', 14],
] as const;

export const card: Maker = (random) => {
  const [head, length] = random.pick(CARD_HEADS);
  const value = completed(head + digits(random, length - head.length - 1), luhnHolds);
  const separator = random.pick(['', '', ' ', '-']);
  if (length === 15) return separator === '' ? value : grouped(value, [4, 6, 5], separator);
  return length === 16 && separator !== '' ? grouped(value, [4, 4, 4, 4], separator) : value;
};

export const ssn: Maker = (random) => {
  const area = String(1 + random.below(899)).padStart(3, '0');
  const safe = area === '666' ? '667' : area;
  return `${safe}-${String(1 + random.below(99)).padStart(2, '0')}-${String(1 + random.below(9999)).padStart(4, '0')}`;
};

const BBANS: readonly (readonly [string, string])[] = [
  ['DE', '##################'],
  ['GB', '@@@@##############'],
  ['FR', '#######################'],
  ['ES', '####################'],
  ['NL', '@@@@##########'],
  ['IT', '@######################'],
  ['CH', '#################'],
  ['NO', '###########'],
  ['PL', '########################'],
  ['SE', '####################'],
  ['PT', '#####################'],
  ['AT', '################'],
  ['MT', '@@@@#####******************'],
];

const remainder97 = (value: string): bigint =>
  BigInt([...value].map((unit) => Number.parseInt(unit, 36)).join('')) % 97n;

const sumOf = (account: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(account[i]), 0);
/** Ten is written as 1. */
const spanishDigit = (digits: string): number => {
  const rest = sumOf(digits, [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11;
  return rest > 1 ? 11 - rest : rest;
};

/** Countries whose account numbers have their own check digits, with the checks. */
const OWN_CHECKS: Readonly<Record<string, readonly [readonly number[], (account: string) => boolean]>> = {
  FR: [[21, 22], (account) => BigInt(account) % 97n === 0n],
  ES: [
    [8, 9],
    (account) =>
      spanishDigit(`00${account.slice(0, 8)}`) === Number(account[8]) &&
      spanishDigit(account.slice(10)) === Number(account[9]),
  ],
  NO: [[9, 10], (account) => sumOf(account, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  PL: [[7], (account) => sumOf(account, [3, 9, 7, 1, 3, 9, 7, 1]) % 10 === 0],
  PT: [[19, 20], (account) => BigInt(account) % 97n === 1n],
};

/** The account number with its own check digits, if its country has any. */
function withOwnCheck(country: string, account: string): string {
  const [positions, isRight] = OWN_CHECKS[country] ?? [[], () => true];
  for (let check = 0; check < 10 ** positions.length; check++) {
    const digitsOf = String(check).padStart(positions.length, '0');
    const tried = Array.from(account, (unit, i) =>
      positions.includes(i) ? digitsOf[positions.indexOf(i)]! : unit,
    ).join('');
    if (isRight(tried)) return tried;
  }
  throw new Error(`no check digits are right for ${country} ${account}`);
}

/** An IBAN without separators. */
export const plainIban: Maker = (random) => {
  const [country, pattern] = random.pick(BBANS);
  const account = withOwnCheck(country, filled(random, pattern));
  const check = 98n - remainder97(`${account}${country}00`);
  return `${country}${String(check).padStart(2, '0')}${account}`;
};

export const iban: Maker = (random) => {
  const value = plainIban(random);
  const style = random.below(5);
  if (style < 2) return value;
  if (style === 2) return value.toLowerCase();
  return value.replaceAll(/(.{4})(?=.)/g, style === 3 ? '$1 ' : '$1-');
};

/** First octets, and first groups of IPv6 addresses, assigned to providers worldwide. */
const OF_PROVIDERS = [
  '24',
  '31',
  '46',
  '62',
  '77',
  '81',
  '84',
  '89',
  '91',
  '109',
  '151',
  '176',
  '188',
  '212',
  '217',
];
const V6_OF_PROVIDERS = ['2a02:8108', '2003', '2600:1700', '2804:14c'];
const octet = (random: SeededRandom): number => 11 + random.below(230);

export const ip: Maker = (random) => {
  if (random.below(4) > 0)
    return [random.pick(OF_PROVIDERS), octet(random), octet(random), octet(random)].join('.');
  const groups = Array.from({ length: 6 }, () => hex(random, 4).replace(/^0+(?=.)/, ''));
  const first = random.pick(V6_OF_PROVIDERS);
  return random.pick([
    [...first.split(':'), ...groups, 'a1'].slice(0, 8).join(':'),
    `${first}:${groups[0]}::${groups[2]}`,
    `${first}::${groups.slice(0, 3).join(':')}`,
  ]);
};

/** Addresses that belong to no person: private, documentation, link-local and resolver addresses. */
export const ipOfNoPerson: Maker = (random) =>
  random.pick([
    `10.${octet(random)}.${octet(random)}.${octet(random)}`,
    `172.${16 + random.below(16)}.${octet(random)}.${octet(random)}`,
    `192.168.${octet(random)}.${octet(random)}`,
    `169.254.${octet(random)}.${octet(random)}`,
    `100.${64 + random.below(64)}.${octet(random)}.${octet(random)}`,
    `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${octet(random)}`,
    `2001:db8::${hex(random, 4)}`,
    `fe80::${hex(random, 4)}:${hex(random, 4)}`,
    `fd${hex(random, 2)}:${hex(random, 4)}::1`,
    random.pick(['8.8.8.8', '1.1.1.1', '9.9.9.9', '208.67.222.222', '2606:4700:4700::1111']),
  ]);

const LOCALS = [
  'jo',
  'mira.k',
  'd_okafor',
  'lee+offers',
  'anna-lena',
  'x7',
  'T.Brandt',
  'ops',
  'o.neil',
  'billing2',
];
const HOSTS = ['harbor', 'mail.north', 'quartz-labs', 'pine', 'k2', 'sub.team.elm', 'Riverside'];
const TOPS = ['example', 'com', 'org', 'co.uk', 'de', 'io', 'com.br', 'museum'];

export const email: Maker = (random) =>
  `${random.pick(LOCALS)}${random.pick(['', '', String(random.below(90))])}@${random.pick(HOSTS)}.${random.pick(TOPS)}`;

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');

function base58Check(version: number, random: SeededRandom): string {
  const payload = Buffer.from([version, ...Array.from({ length: 20 }, () => random.below(256))]);
  const bytes = Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]);
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = BASE58[Number(rest % 58n)]! + text;
  return version === 0 ? `1${text}` : text;
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** Bech32 (constant 1) or bech32m (the other constant) by long division, as in BIP 173. */
function segwit(prefix: string, count: number, constant: number, random: SeededRandom): string {
  const data = Array.from({ length: count }, () => random.below(32));
  data[0] = constant === 1 ? 0 : 1;
  const head = [...prefix].map((unit) => unit.charCodeAt(0));
  const all = [
    ...head.map((unit) => unit >> 5),
    0,
    ...head.map((unit) => unit & 31),
    ...data,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  let checksum = 1;
  for (const value of all) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((generator, bit) => {
      if ((top >> bit) & 1) checksum ^= generator;
    });
  }
  checksum ^= constant;
  const check = Array.from({ length: 6 }, (_, i) => (checksum >>> (5 * (5 - i))) & 31);
  return `${prefix}1${[...data, ...check].map((value) => BECH32[value]).join('')}`;
}

export const wallet: Maker = (random) => {
  const ethereum = hex(random, 40);
  const checked = (): string => {
    const digest = Buffer.from(keccakOfAscii(ethereum, 32)).toString('hex');
    return [...ethereum]
      .map((unit, i) => (Number.parseInt(digest[i]!, 16) > 7 ? unit.toUpperCase() : unit))
      .join('');
  };
  return random.pick<() => string>([
    () => base58Check(0, random),
    () => base58Check(5, random),
    () => base58Check(0x41, random),
    () => segwit('bc', 33, 1, random),
    () => segwit('bc', 53, 0x2bc830a3, random),
    () => segwit('ltc', 33, 1, random),
    () => `0x${ethereum}`,
    () => `0x${checked()}`,
  ])();
};

export const uuid: Maker = (random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');
