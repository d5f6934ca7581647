import type { Candidate, SearchDetector } from '../detector.ts';
import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { continues, type Shape } from '../labels/shape.ts';
import { matchesOf } from '../pattern-search.ts';

/** "a CVV since 1997" */
const YEAR = /\b(?:since|in|of|from|by|until|before|after) (?:19|20)\d\d$/i;
const CODE = /\d{3,4}/y;
const code: Shape = (text, start) => {
  CODE.lastIndex = start;
  const end = start + (CODE.exec(text)?.[0].length ?? 0);
  if (YEAR.test(text.slice(Math.max(0, start - 8), end))) return null;
  if (end === start || continues(text, end)) return null;
  return { end, confidence: 0.93 };
};

/** Card verification codes after words that name them. */
export const cvv = labelledDetector({
  name: 'cvv',
  version: 1,
  code: 'FINANCIAL_DATA',
  entity: 'CVV',
  groups: [
    {
      labels: [
        ...['cvv', 'cvv2', 'cvc', 'cvc2', 'cvn', 'cvv/cvc', 'cvv code', 'cvc code', 'card code', 'cid code'],
        ...pairs(['card verification', 'card security', 'verification'], ['value', 'code', 'number']).filter(
          (label) => label !== 'verification code' && label !== 'verification number',
        ),
        ...[
          'kartenprüfnummer',
          'kartenprüfziffer',
          'prüfziffer',
          'cryptogramme',
          'código de seguridad de la tarjeta',
        ],
        ...['digits on the back', 'code on the back', 'number on the back'],
      ],
      maxWords: 3,
      shapes: [code],
    },
    {
      labels: [
        'security code',
        'csc',
        'cid',
        'sec code',
        'verification code',
        'código de seguridad',
        'sicherheitscode',
      ],
      near: /card|visa|master ?card|amex|american express|discover|\bexp(?:iry|ires|iration)?\b|tarjeta|karte|\d{4}[ -]?\d{4}[ -]?\d{4}/i,
      unless: /door|alarm|gate|building|sms|texted|otp|2fa/i,
      maxWords: 3,
      shapes: [code],
    },
  ],
});

/** A card number, its expiry date and then the code, pasted in one line. */
const AFTER_CARD =
  /(?<![\w.-])(?:\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}|\d{4}[ -]?\d{6}[ -]?\d{5})[\s,;|/:]{1,4}(?:exp\.?(?:iry|ires)?:?\s)?(?:0?[1-9]|1[0-2])[\s/|;,-]{1,3}(?:20)?\d\d[\s,;|/:]{1,4}(\d{3,4})(?![\w.:/-])/gi;

function afterCardAt(match: RegExpExecArray, start: number): Candidate | null {
  const digits = match[1]!;
  const end = start + match[0].length;
  return { code: 'FINANCIAL_DATA', entity: 'CVV', start: end - digits.length, end, confidence: 0.9 };
}

/** Verification codes without a label, after a card's number and expiry date. */
export const cvvAfterCard: SearchDetector = {
  name: 'cvv-behind-card',
  version: 1,
  mayFind: (traits) => traits.digits >= 16,
  search: (text) => matchesOf(AFTER_CARD, text, afterCardAt),
};
