import { passesMod11And10 } from '../checks/check-digits.ts';
import * as ids from '../checks/national-ids.ts';
import { pairs } from '../labels/label.ts';
import { type LabelGroup, labelledDetector } from '../labels/labelled.ts';
import { checkedBy, compact, identifierShape, patternShape, type Shape } from '../labels/shape.ts';
import labels from '../lists/national-id.json' with { type: 'json' };
import { REGISTERS } from '../registers/table.ts';

/** After its label, a number with wrong check digits is more often mistyped than something else. */
const MISTYPED = 0.6;

const checked = (source: string, check: (value: string) => boolean, otherwise = MISTYPED): Shape =>
  patternShape(source, checkedBy(check, 0.97, otherwise));

const NINE = '\\d{3}([ .-]?)\\d{3}\\1\\d{3}';
const ELEVEN = '\\d{11}|\\d{2} \\d{3} \\d{3} \\d{3}|\\d{3} \\d{3} \\d{3} \\d{2}';

const GROUPS: readonly LabelGroup[] = [
  {
    labels: ['nino', 'national insurance', 'ni number', 'ni no', 'nat ins', 'n.i. number'],
    shapes: [checked('[A-Z]{2}[ -]?\\d\\d[ -]?\\d\\d[ -]?\\d\\d[ -]?[A-D]', ids.isNino)],
  },
  {
    labels: ['dni', 'nie', 'nif', 'documento nacional de identidad'],
    shapes: [
      checked(
        '[XYZ][ .-]?\\d{7}[ -]?[A-Z]|\\d{8}[ -]?[A-Z]|\\d{1,2}\\.\\d{3}\\.\\d{3}[ -]?[A-Z]',
        ids.isSpanishId,
      ),
      checked(NINE, ids.isPortugueseNif),
      // In Argentina and Peru, a DNI has eight digits.
      patternShape('\\d{2}\\.?\\d{3}\\.?\\d{3}', 0.75),
    ],
  },
  {
    labels: labels.french,
    shapes: [
      checked('[1-478] ?\\d\\d ?\\d\\d ?(?:\\d\\d|2[AB]) ?\\d{3} ?\\d{3}(?: ?\\d\\d)?', ids.isFrenchId),
    ],
  },
  {
    labels: ['codice fiscale', 'cod. fiscale', 'cod fiscale', 'c.f.', 'codicefiscale'],
    shapes: [checked('[A-Z]{6}[A-Z0-9]{2}[A-Z][A-Z0-9]{2}[A-Z][A-Z0-9]{3}[A-Z]', ids.isItalianId)],
  },
  {
    labels: labels.germanTax,
    shapes: [
      checked(ELEVEN, passesMod11And10),
      patternShape('9\\d\\d-?\\d\\d-?\\d{4}', checkedBy(ids.isItin, 0.95, 0)),
      patternShape('\\d{2,3}/\\d{3}/\\d{4,5}', 0.85),
      // Other countries issue 9 to 12 digits.
      patternShape('\\d{10}|\\d{12}', 0.65),
    ],
  },
  {
    labels: ['itin', 'individual taxpayer', 'taxpayer id'],
    shapes: [patternShape('9\\d\\d[ -]?\\d\\d[ -]?\\d{4}', checkedBy(ids.isItin, 0.97, 0.6))],
  },
  { labels: ['pesel'], shapes: [checked('\\d{11}', ids.isPesel)] },
  {
    labels: ['bsn', 'burgerservicenummer', 'sofinummer'],
    shapes: [checked(NINE, ids.isBsn), patternShape('\\d{4}[ .]?\\d{2}[ .]?\\d{3}', 0.75)],
  },
  {
    labels: labels.belgian,
    shapes: [checked('\\d\\d[ .]?\\d\\d[ .]?\\d\\d[ -]?\\d{3}[ .]?\\d\\d', ids.isBelgianId)],
  },
  {
    labels: labels.nordic,
    shapes: [
      checked('(?:19|20)?\\d{6}[-+ ]?\\d{4}', ids.isSwedishId),
      checked('\\d{6} ?\\d{5}', ids.isNorwegianId),
    ],
  },
  {
    labels: ['cpr', 'cpr nummer', 'personnummer', 'danish id'],
    shapes: [checked('\\d{6}-?\\d{4}', ids.isDanishId, 0)],
  },
  {
    labels: ['henkilötunnus', 'hetu', 'henkilotunnus', 'finnish id', 'finnish personal', 'personbeteckning'],
    shapes: [checked('\\d{6}[-+A-FU-Y]\\d{3}[0-9A-Y]', ids.isFinnishId)],
  },
  { labels: ['cpf'], shapes: [checked('\\d{3}\\.?\\d{3}\\.?\\d{3}-?\\d\\d', ids.isCpf)] },
  {
    labels: ['aadhaar', 'aadhar', 'adhaar', 'uidai', 'uid number'],
    shapes: [checked('\\d{4}([ -]?)\\d{4}\\1\\d{4}', ids.isAadhaar)],
  },
  { labels: ['pan', 'pan card', 'permanent account'], shapes: [checked('[A-Z]{5}\\d{4}[A-Z]', ids.isPan)] },
  {
    labels: ['sin', 's.i.n.', 'social insurance', 'assurance sociale', 'nas'],
    shapes: [checked(NINE, ids.isCanadianSin)],
  },
  { labels: ['tfn', 'tax file'], shapes: [checked('\\d{3}([ -]?)\\d{3}\\1\\d{3}|\\d{8}', ids.isTfn)] },
  { labels: ['curp'], shapes: [checked('[A-Z]{4}\\d{6}[HMX][A-Z]{5}[0-9A-Z]\\d', ids.isCurp)] },
  {
    labels: ['sozialversicherungsnummer', 'rentenversicherungsnummer', 'sv nummer', 'rvnr', 'svnr'],
    shapes: [patternShape('\\d\\d ?\\d{6} ?[A-Z] ?\\d{3}|\\d{4} ?\\d{6}', 0.92)],
  },
  { labels: ['rg', 'registro geral'], shapes: [patternShape('\\d{1,2}\\.\\d{3}\\.\\d{3}-?[\\dX]', 0.9)] },
  { labels: ['rfc'], shapes: [patternShape('[A-ZÑ&]{4}\\d{6}[A-Z0-9]{3}', 0.9)] },
  {
    labels: ['nric', 'fin', 'singapore id', 'singapore ic'],
    shapes: [checked('[STFGM]\\d{7}[A-Z]', ids.isNric)],
  },
  {
    labels: ['rrn', 'resident registration', 'korean id', 'jumin'],
    shapes: [checked('\\d{6}[- ]?[1-8]\\d{6}', ids.isKoreanId)],
  },
  {
    labels: ['resident identity', 'chinese id', 'shenfenzheng', 'chinese identity', 'resident id'],
    shapes: [checked('\\d{17}[\\dX]', ids.isChineseId)],
  },
  {
    labels: ['south african id', 'sa id', 'rsa id', 'south african identity'],
    shapes: [checked('\\d{6} ?\\d{4} ?\\d{2} ?\\d|\\d{13}', ids.isSouthAfricanId)],
  },
  {
    labels: ['kimlik', 'tckn', 'tc kimlik', 't.c. kimlik', 'turkish id'],
    shapes: [checked('\\d{11}', ids.isTurkishId)],
  },
  {
    labels: ['ahv', 'avs', 'ahv nummer', 'numéro avs'],
    shapes: [checked('756\\.?\\d{4}\\.?\\d{4}\\.?\\d\\d', ids.isAhv)],
  },
  {
    labels: ['alien registration', 'green card', 'permanent resident', 'a number', 'uscis', 'alien'],
    shapes: [patternShape('A[ -]?\\d{3}[ -]?\\d{3}[ -]?\\d{2,3}|A#? ?\\d{8,9}', 0.9)],
  },
  {
    labels: ['my number', 'mynumber', 'individual number'],
    shapes: [patternShape('\\d{4}([ -]?)\\d{4}\\1\\d{4}', 0.8)],
  },
];

/** Registers whose numbers are recognised only by their labels and checks. */
const TABLE: readonly LabelGroup[] = REGISTERS.flatMap(({ labels, written, check }) =>
  labels === null ? [] : [{ labels, shapes: [checked(written, check, 0)] }],
);

/** Values with only a general label: any identifier with enough digits, and with letters where a country has them. */
const GENERAL: LabelGroup = {
  labels: [
    ...pairs(labels.nationalFirst, ['id', 'number', 'no', 'card', 'identifier', 'document']),
    ...pairs(['identity', 'identification', 'id'], ['card', 'card number', 'document']),
    ...labels.identityNumbers,
    ...labels.governmentIds,
    ...labels.germanCards,
    ...['cédula', 'cedula', 'cédula de ciudadanía', 'documento de identidad', 'documento de identidade'],
    ...labels.otherLanguages,
  ],
  unless:
    /\b(?:vehicle|product|employer|employee|student|order|device|transaction|process|session|user|ticket|customer|business|vat|tax)\b/i,
  shapes: [
    patternShape(
      '[A-Z]{6}[A-Z0-9]{2}[A-Z][A-Z0-9]{2}[A-Z][A-Z0-9]{3}[A-Z]',
      checkedBy(ids.isItalianId, 0.97, 0),
    ),
    patternShape('[A-Z]{4}\\d{6}[HMX][A-Z]{5}[0-9A-Z]\\d', 0.9),
    patternShape('[A-Z]{2} ?\\d\\d ?\\d\\d ?\\d\\d ?[A-D]', checkedBy(ids.isNino, 0.97, 0)),
    patternShape('\\d{5}-\\d{7}-\\d|784-?\\d{4}-?\\d{7}-?\\d', 0.92),
    patternShape('[A-Z]\\d{6}\\([0-9A]\\)', 0.92),
    patternShape('[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}\\d?', (value) =>
      (compact(value).match(/\d/g)?.length ?? 0) >= 3 ? 0.85 : 0,
    ),
    identifierShape({ min: 7, max: 18, minDigits: 5, confidence: 0.85 }),
  ],
};

/** National identity and tax numbers after their labels; the check digits determine the confidence. */
export const nationalId = labelledDetector({
  name: 'national-id',
  version: 2,
  code: 'PII_LEAK',
  entity: 'NATIONAL_ID',
  groups: [...GROUPS, ...TABLE, GENERAL],
});
