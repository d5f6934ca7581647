import fc from 'fast-check';
import { expect, test } from '#jest';
import { base58CheckVersion, isBase58Of32Bytes, isRippleAddress } from './base58.ts';
import { passesBech32 } from './bech32.ts';
import { mod97, passesLuhn, passesMod11And10, passesVerhoeff } from './check-digits.ts';
import { keccakOfAscii } from './keccak.ts';
import * as ids from './national-ids.ts';

const CHECKS: Readonly<Record<string, (value: string) => boolean>> = ids;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('hashes and wallet checksums match the examples of their standards', () => {
  expect(hex(keccakOfAscii('', 32))).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  expect(hex(keccakOfAscii('abc', 32))).toBe(
    '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
  );
  expect(base58CheckVersion('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2')).toBe(0);
  expect(base58CheckVersion('3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy')).toBe(5);
  expect(base58CheckVersion('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3')).toBe(-1);
  expect(isRippleAddress('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')).toBe(true);
  expect(passesBech32('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toBe(true);
  expect(passesBech32('bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0')).toBe(true);
  expect(passesBech32('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5')).toBe(false);
});

test('wallet checksums never throw, whatever the text', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'123456789ABCxyzlqpbc0OI1', '\u00e9', '\u{1d41a}'),
    maxLength: 120,
  });
  fc.assert(
    fc.property(fc.oneof(letters, fc.string({ unit: 'binary', maxLength: 120 })), (text) => {
      for (const value of [text, `bc1${text}`, `1${text}`, `r${text}`]) {
        expect([-1, 0]).toContain(Math.min(base58CheckVersion(value), 0));
        for (const check of [isRippleAddress, isBase58Of32Bytes, passesBech32]) {
          expect(typeof check(value)).toBe('boolean');
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('check digits', () => {
  expect([passesLuhn('79927398713'), passesLuhn('79927398710')]).toEqual([true, false]);
  expect([passesVerhoeff('2363'), passesVerhoeff('2364')]).toEqual([true, false]);
  expect(mod97('WEST12345698765432GB82')).toBe(1);
  expect([passesMod11And10('86095742719'), passesMod11And10('86095742718')]).toEqual([true, false]);
});

test.each([
  ['isSpanishId', '12345678Z', '12345678A'],
  ['isSpanishId', 'X1234567L', 'X1234567M'],
  ['isNino', 'QQ123456C'.replace('QQ', 'AB'), 'QQ123456C'],
  ['isFrenchId', '255081416802538', '255081416802539'],
  ['isItalianId', 'RSSMRA85T10A562S', 'RSSMRA85T10A562T'],
  ['isPesel', '44051401359', '44051401358'],
  ['isBsn', '111222333', '111222334'],
  ['isBelgianId', '85073003328', '85073003329'],
  ['isSwedishId', '8112189876', '8112189875'],
  ['isFinnishId', '131052-308T'.replace('-', '_'), '131052_308U'],
  ['isCpf', '52998224725', '52998224724'],
  ['isCanadianSin', '130692544', '130692545'],
  ['isTfn', '123456782', '123456781'],
  ['isChineseId', '11010519491231002X', '110105194912310021'],
  ['isCurp', 'BOXW310820HNERXN09', 'BOXW310820HNERXN08'],
  ['isNric', 'S1234567D', 'S1234567A'],
  ['isTurkishId', '10000000146', '10000000145'],
  ['isAhv', '7569217076985', '7569217076984'],
  ['isNhsNumber', '9434765919', '9434765918'],
  ['isItin', '912701234', '912931234'],
  ['isPortugueseNif', '123456789', '123456788'],
] as const)('%s', (name, right, wrong) => {
  expect([CHECKS[name]!(right), CHECKS[name]!(wrong)]).toEqual([true, false]);
});
