import { describe, expect, test } from '#jest';
import { matchesIn } from '../detectors/contract.ts';
import { nationalId } from '../detectors/national-id.ts';
import { nationalIdShapes } from '../detectors/national-id-shapes.ts';
import { REGISTERS } from './table.ts';

/** Numbers printed as examples by authorities, encyclopedias or forms. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  AT: ['1237010180'],
  BE: ['85073003328'],
  BG: ['7523169263'],
  CH: ['7569217076985'],
  CL: ['123456785'],
  CZ: ['7103192745'],
  EE: ['37605030299'],
  HK: ['A1234563'],
  HR: ['69435151530'],
  IE: ['1234567T', '1234567FA'],
  IL: ['123456782'],
  LT: ['33309240064'],
  NZ: ['49091850', '136410132'],
  PL: ['44051401359'],
  PT: ['000000000ZZ4'],
  RO: ['1800101221144'],
  RU: ['500100732259'],
  SI: ['0101006500006'],
  TW: ['A123456789'],
};

const checksOf = (wanted: string) => REGISTERS.filter(({ country }) => country === wanted);

describe('registers', () => {
  test.each(Object.entries(PUBLISHED))(
    '%s accepts published examples, but not their neighbours',
    (country, numbers) => {
      const [register] = checksOf(country);
      for (const number of numbers) {
        expect([number, register?.check(number)]).toEqual([number, true]);
        const last = number.search(/\d\D*$/);
        const others = '0123456789'.replace(number[last]!, '');
        const accepted = [...others].filter((digit) =>
          register?.check(number.slice(0, last) + digit + number.slice(last + 1)),
        );
        // A second row of weights, or a letter, may allow one more.
        expect(accepted.length).toBeLessThanOrEqual(1);
      }
    },
  );

  test('every register has a label or a distinctive format', () => {
    for (const { country, labels, bare } of REGISTERS)
      expect([country, labels ?? bare]).not.toEqual([country, null]);
  });

  test.each([
    ['CNP 1800101221144', '1800101221144'],
    ['rodné číslo 710319/2745', '710319/2745'],
    ['asmens kodas: 33309240064', '33309240064'],
    ['PPS number 1234567T', '1234567T'],
    ['OIB: 69435151530', '69435151530'],
    ['RUT 12.345.678-5', '12.345.678-5'],
  ])('a label identifies %s', (text, value) => {
    expect(matchesIn(nationalId, text).map(({ start, end }) => text.slice(start, end))).toContain(value);
  });

  test.each([
    ['she is 710319/2745, they say', '710319/2745'],
    ['he is 1800101221144, they say', '1800101221144'],
    ['he is 12.345.678-5, they say', '12.345.678-5'],
  ])('format and check digits identify %s', (text, value) => {
    expect(matchesIn(nationalIdShapes, text).map(({ start, end }) => text.slice(start, end))).toEqual([
      value,
    ]);
  });

  test.each([
    '710319/2746',
    '1800101221145',
    '12.345.678-6',
    'order 1800101221144',
    'CNP 1800101221145',
    '1700000000000',
  ])('nothing identifies %s', (text) => {
    expect([...matchesIn(nationalIdShapes, text), ...matchesIn(nationalId, text)]).toEqual([]);
  });
});
