import { weightedSum } from '../checks/check-digits.ts';
import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { compact, patternShape, type Shape } from '../labels/shape.ts';
import labels from '../lists/bank-account.json' with { type: 'json' };

const digits = (from: number, to: number, confidence: number): Shape =>
  patternShape(`\\d(?:[ -]?\\d){${from - 1},${to - 1}}`, (value) =>
    /^(?:19|20)\d\d-\d\d-\d\d$|^(?:19|20)\d\d-(?:19|20)\d\d$/.test(value) ? 0 : confidence,
  );

/** US routing number: Federal Reserve district, and the check digit with weights 3, 7 and 1 (ABA). */
export function isRoutingNumber(value: string): boolean {
  return (
    /^(?!0{9})(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(value) &&
    weightedSum(value, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
  );
}

/** Mexico, CLABE: weights 3, 7 and 1, each product modulo 10. */
function isClabe(value: string): boolean {
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += ((value.charCodeAt(i) - 48) * [3, 7, 1][i % 3]!) % 10;
  return (10 - (sum % 10)) % 10 === value.charCodeAt(17) - 48;
}

const ACCOUNT = digits(6, 17, 0.88);
const BANK =
  /bank|\bblz\b|überweis|checking|savings|deposit|\bwire|routing|sort ?code|\bach\b|\bswift\b|\bbic\b|\biban\b|branch|\bbsb\b|\baba\b|transfer|payee|beneficiary|payroll|debit|withdraw|holder|chase|barclays|hsbc|citi|wells|lloyds|natwest/i;
const OTHER_ACCOUNT =
  /\b(?:aws|azure|gcp|twitter|x|github|google|customer|utility|electric\w*|gas|water|game|steam|user|loyalty|frequent|rewards|cloud|instagram|netflix|email|mail)(?:'s)?[ _](?:(?!bank)\w+ )?(?:accounts?|acct)|account[ _-]?ids?\b/i;

/** Account numbers, US routing numbers and UK sort codes after words that name them. */
export const bankAccount = labelledDetector({
  name: 'bank-account',
  version: 1,
  code: 'FINANCIAL_DATA',
  entity: 'BANK_ACCOUNT',
  groups: [
    {
      labels: [
        ...pairs(
          ['routing', 'aba', 'aba routing', 'routing transit', 'bank routing'],
          ['number', 'no', 'code', '#'],
        ),
        ...['routing', 'aba', 'rtn', 'aba rtn', 'aba transit'],
      ],
      shapes: [
        patternShape('\\d{4}[ -]?\\d{4}[ -]?\\d|\\d{3} ?\\d{3} ?\\d{3}', (value) =>
          isRoutingNumber(compact(value)) ? 0.95 : 0,
        ),
      ],
    },
    {
      labels: ['sort code', 'sortcode', 'sort', 'bank code'],
      shapes: [patternShape('\\d\\d([ -]?)\\d\\d\\1\\d\\d', 0.92)],
    },
    { labels: ['bsb', 'bsb number'], shapes: [patternShape('\\d{3}[ -]?\\d{3}', 0.9)] },
    { labels: ['blz', 'bankleitzahl'], shapes: [patternShape('\\d{3} ?\\d{3} ?\\d\\d', 0.85)] },
    {
      labels: ['clabe'],
      shapes: [
        patternShape('\\d{3}[ -]?\\d{3}[ -]?\\d{11}[ -]?\\d', (value) =>
          isClabe(compact(value)) ? 0.97 : 0.7,
        ),
      ],
    },
    {
      labels: [
        ...pairs(
          ['bank', 'checking', 'savings', 'chequing', 'current', 'deposit', 'bank acct'],
          ['account', 'acct', 'a/c'],
        ),
        ...labels.names,
        ...labels.abbreviations,
        ...labels.german,
        ...labels.otherLanguages,
      ],
      unless: OTHER_ACCOUNT,
      shapes: [ACCOUNT],
    },
    {
      labels: ['account', 'accounts', 'acc', 'konto', 'cuenta', 'compte'],
      near: BANK,
      unless: OTHER_ACCOUNT,
      shapes: [ACCOUNT],
    },
  ],
});
