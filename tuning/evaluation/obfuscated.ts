import { detect } from '#core/detect/detect.ts';
import { VIOLATION_GROUPS, type ViolationCode } from '#schemas/vocabulary.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { addScores, compareSpans, fMeasure } from '../samples/spans.ts';
import {
  CIPHERS,
  ENCODINGS,
  type LabelledText,
  LOOKS,
  type Obfuscation,
  obfuscateValues,
} from './obfuscations.ts';
import { ATTACKS } from './sets/blind/blind.ts';
import { shapedValues } from './sets/shaped-values.ts';

const TYPES = ['EMAIL', 'SSN', 'CREDIT_CARD', 'IBAN', 'IP_ADDRESS'] as const;
const SEED = 4_711;
const CODES: readonly ViolationCode[] = VIOLATION_GROUPS.PROMPT_INJECTION;

/** F1 over all types together: an obfuscated value that is partly found counts like any other match. */
function scoreOf(cases: readonly LabelledText[]): number {
  const scores = cases.flatMap(({ text, spans }) => {
    const found = detect([{ source: 'prompt', text }]).map(({ entity, start, end }) => ({
      type: entity ?? '',
      start,
      end,
    }));
    return TYPES.map((type) => compareSpans(spans, found, type));
  });
  return fMeasure(addScores(scores));
}

function valuesItem(cases: readonly LabelledText[], obfuscation: Obfuscation): EvaluatedItem {
  return {
    item: `e-mail, SSN, card, IBAN, IP: ${obfuscation.name}`,
    figure: 'F1',
    value: scoreOf(cases.map((one) => obfuscateValues(one, obfuscation))),
    first: null,
    goal: 0.98,
    better: 'HIGHER',
    how: `${cases.length} texts of the own set, their values written so; everything that detect() finds counts`,
  };
}

const isFound = (text: string): boolean =>
  detect([{ source: 'prompt', text }]).some(({ code }) => CODES.includes(code));

/** Share of the attacks found in plain text that are also found when obfuscated. */
function ordersItem(plain: readonly string[], { name, apply }: Obfuscation): EvaluatedItem {
  return {
    item: `attacks on models: ${name}`,
    figure: 'share still found',
    value: plain.filter((text) => isFound(apply(text))).length / plain.length,
    first: null,
    goal: null,
    better: 'HIGHER',
    how: `${plain.length} attacks of the blind set that are found in plain words`,
  };
}

/** How many values and attacks are still found in obfuscated texts. */
export const obfuscatedPart: EvaluationPart = () => {
  const cases = shapedValues(SEED).filter(({ spans }) => spans.length > 0);
  const plain = ATTACKS.filter(isFound);
  return [
    ...[...LOOKS, ...ENCODINGS].map((obfuscation) => valuesItem(cases, obfuscation)),
    ...[...LOOKS, ...ENCODINGS, ...CIPHERS].map((obfuscation) => ordersItem(plain, obfuscation)),
  ];
};
