import { isNhsNumber } from '../checks/national-ids.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { checkedBy, compact, continues, identifierShape, patternShape } from '../labels/shape.ts';
import { matchesOf } from '../pattern-search.ts';

/** US Medicare beneficiary identifier: a fixed kind of character per position, without S, L, O, I, B and Z (CMS). */
const LETTER = '[AC-HJKMNP-RT-Y]';
const EITHER = '[0-9AC-HJKMNP-RT-Y]';
const MBI = `[1-9]${LETTER}${EITHER}\\d[- ]?${LETTER}${EITHER}\\d[- ]?${LETTER}{2}\\d\\d`;

/** Germany, Krankenversichertennummer: the letter counts as two digits, then the Luhn sum from the left. */
function isKvnr(value: string): boolean {
  const digits = `${String(value.charCodeAt(0) - 64).padStart(2, '0')}${value.slice(1, 9)}`;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const product = (digits.charCodeAt(i) - 48) * (i % 2 === 0 ? 1 : 2);
    sum += product > 9 ? product - 9 : product;
  }
  return sum % 10 === value.charCodeAt(9) - 48;
}

const MEMBER = identifierShape({ min: 6, max: 20, minDigits: 4, confidence: 0.88 });
const HEALTH =
  /insur|health|medical|medicare|medicaid|\bplan\b|coverage|covered|\bpayer\b|subscriber|copay|deductible|patient|hospital|doctor|clinic|dental|\bhmo\b|\bppo\b|aetna|cigna|humana|kaiser|anthem|blue ?(?:cross|shield)|bcbs|united ?health|\baok\b|barmer|claim/i;

/** Health insurance member numbers after words that name them. */
export const healthInsuranceId = labelledDetector({
  name: 'health-insurance-id',
  version: 1,
  code: 'HEALTH_DATA',
  entity: 'HEALTH_INSURANCE_ID',
  groups: [
    {
      labels: ['medicare', 'medicare card', 'mbi', 'medicare beneficiary', 'hicn'],
      shapes: [
        patternShape(MBI, 0.98),
        patternShape('\\d{4}[ -]?\\d{5}[ -]?\\d(?:[ -/]?\\d)?', 0.85),
        identifierShape({ min: 9, max: 12, minDigits: 5, confidence: 0.8 }),
      ],
    },
    {
      labels: ['nhs', 'nhs number', 'chi number'],
      shapes: [patternShape('\\d{3}([ -]?)\\d{3}\\1\\d{4}', checkedBy(isNhsNumber, 0.97, 0.6))],
    },
    {
      labels: [
        'krankenversichertennummer',
        'versichertennummer',
        'krankenversicherungsnummer',
        'kvnr',
        'versicherten nr',
      ],
      shapes: [patternShape('[A-Z]\\d{9}', (value) => (isKvnr(compact(value)) ? 0.97 : 0.75)), MEMBER],
    },
    {
      labels: [
        ...pairs(
          ['health insurance', 'medical insurance', 'insurance', 'dental insurance', 'health plan'],
          ['id', 'number', 'no', 'policy', 'member', 'card', 'identification', 'identifier', '#'],
        ),
        ...['medicaid', 'health insurance', 'healthcare id', 'health card', 'ohip', 'ehic', 'health id'],
        ...['subscriber id', 'subscriber number', 'subscriber no', 'beneficiary id', 'beneficiary number'],
        ...['tarjeta sanitaria', 'numéro de mutuelle', 'tessera sanitaria', 'insurance policy', 'insured id'],
      ],
      unless: /\b(?:car|auto|home|travel|pet|vehicle|house|contents|national|social) (?:insurance|policy)/i,
      shapes: [MEMBER],
    },
    {
      labels: [
        ...pairs(
          ['member', 'membership', 'policy', 'enrollee', 'certificate', 'policyholder'],
          ['id', 'number', 'no', 'identification', '#'],
        ),
        ...['policy', 'member', 'subscriber', 'group number'],
      ],
      near: HEALTH,
      unless:
        /\b(?:car|auto|home|travel|pet|vehicle|house|gym|library|club|loyalty|team|staff)(?:owners?)?\b/i,
      shapes: [MEMBER],
    },
  ],
});

const MBI_SEARCH = new RegExp(`(?<![\\w.\\-/#])${MBI}(?![\\w])`, 'g');

function mbiAt(text: string, value: string, start: number): Candidate | null {
  const end = start + value.length;
  if (continues(text, end)) return null;
  const confidence = value.includes('-') ? 0.9 : 0.7;
  return { code: 'HEALTH_DATA', entity: 'HEALTH_INSURANCE_ID', start, end, confidence };
}

/** Medicare beneficiary identifiers, by their format. */
export const medicareId: SearchDetector = {
  name: 'medicare-id',
  version: 1,
  mayFind: (traits) => traits.digits >= 5,
  search: (text) => matchesOf(MBI_SEARCH, text, ([value], start) => mbiAt(text, value, start)),
};
