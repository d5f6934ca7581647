import { passesMod11And10 } from '../checks/check-digits.ts';
import { isAhv, isBelgianId, isNorwegianId, isPesel } from '../checks/national-ids.ts';
import * as checks from './checks.ts';

/** A country's register of personal ID numbers. */
interface Register {
  /** ISO 3166-1. */
  readonly country: string;
  /** Names of the number; null if another list has them. */
  readonly labels: readonly string[] | null;
  /** The number's format, as a pattern of bounded length. */
  readonly written: string;
  readonly check: (compacted: string) => boolean;
  /**
   * The format in which a value is accepted without a label, and its confidence. Both the format or date and the check
   * digits must agree. Null if other numbers look the same.
   */
  readonly bare: readonly [string, number] | null;
}

const of = (
  country: string,
  labels: readonly string[] | null,
  written: string,
  check: Register['check'],
  bare: Register['bare'] = null,
): Register => ({ country, labels, written, check, bare });

/** One register per line. */
export const REGISTERS: readonly Register[] = [
  of('AR', ['cuil', 'cuit'], '\\d{2}-?\\d{8}-?\\d', checks.isCuil, ['2[0347]-\\d{8}-\\d', 0.9]),
  of('AT', ['versicherungsnummer', 'svnr', 'e card'], '\\d{4}[ -]?\\d{6}', checks.isAustrianId, [
    '\\d{4} \\d{6}',
    0.7,
  ]),
  of('BE', null, '\\d{11}', isBelgianId, ['\\d{11}', 0.7]),
  of('BG', ['egn'], '\\d{10}', checks.isBulgarianId),
  of('CH', null, '756\\d{10}', isAhv, ['756\\d{10}', 0.85]),
  of('CL', ['rut', 'rol único tributario'], '\\d{1,2}\\.?\\d{3}\\.?\\d{3}-[\\dK]', checks.isRut, [
    '\\d{1,2}\\.\\d{3}\\.\\d{3}-[\\dK]',
    0.9,
  ]),
  of('CZ', ['rodné číslo', 'rodne cislo'], '\\d{6}/?\\d{3,4}', checks.isCzechId, ['\\d{6}/\\d{4}', 0.9]),
  of(
    'DE',
    ['steuerliche identifikationsnummer', 'steuerliche id'],
    '\\d{11}|\\d{2} \\d{3} \\d{3} \\d{3}',
    passesMod11And10,
  ),
  of('EE', ['isikukood'], '[1-8]\\d{10}', checks.isBalticId, ['[3-6]\\d{10}', 0.6]),
  of('GR', ['amka'], '\\d{11}', checks.isAmka),
  of(
    'HK',
    ['hkid', 'hong kong id', 'hong kong identity'],
    '[A-Z]{1,2}\\d{6}\\(?[\\dA]\\)?',
    checks.isHongKongId,
    null,
  ),
  of('HR', ['oib', 'osobni identifikacijski broj'], '\\d{11}', checks.isOib),
  of('IE', ['pps', 'ppsn', 'personal public service'], '\\d{7}[A-W][A-IW]?', checks.isPps),
  of('IL', ['teudat zehut', 'israeli id'], '\\d{8}-?\\d', checks.isIsraeliId),
  of('LT', ['asmens kodas'], '[1-8]\\d{10}', checks.isBalticId),
  of('NO', null, '\\d{6} ?\\d{5}', isNorwegianId, ['\\d{6} ?\\d{5}', 0.8]),
  of('NZ', ['ird', 'ird number'], '\\d{2,3}-?\\d{3}-?\\d{3}', checks.isIrd),
  of('PL', null, '\\d{11}', (value) => isPesel(value) && checks.hasLikelyBirth(value), ['\\d{11}', 0.6]),
  of(
    'PT',
    ['cartão de cidadão', 'cartao de cidadao', 'citizen card'],
    '\\d{8} ?\\d ?[A-Z\\d]{2}\\d',
    checks.isCitizenCard,
    ['\\d{8} ?\\d ?[A-Z]{2}\\d', 0.85],
  ),
  of('RO', ['cnp', 'cod numeric personal'], '[1-9]\\d{12}', checks.isRomanianId, ['[1-9]\\d{12}', 0.85]),
  of('RS', ['jmbg', 'matični broj'], '\\d{13}', checks.isEmso),
  of('RU', ['inn'], '\\d{12}', checks.isRussianInn),
  of('SI', ['emšo', 'emso'], '\\d{13}', checks.isEmso, ['\\d{13}', 0.8]),
  of('SK', ['rodné číslo'], '\\d{6}/?\\d{3,4}', checks.isCzechId),
  of('TH', ['thai id', 'thai national'], '\\d-?\\d{4}-?\\d{5}-?\\d{2}-?\\d', checks.isThaiId, [
    '\\d-\\d{4}-\\d{5}-\\d{2}-\\d',
    0.95,
  ]),
  of('TW', ['taiwan id'], '[A-Z][1289]\\d{8}', checks.isTaiwaneseId),
  of('UA', ['rntrc', 'rnokpp'], '\\d{10}', checks.isUkrainianId),
];
