import { detect } from '#core/detect/detect.ts';
import { VIOLATION_GROUPS, type ViolationCode } from '#schemas/vocabulary.ts';
import { ATTACKS, HARMLESS, HATEFUL, NOT_HATEFUL, SAFE, UNSAFE } from '../evaluation/sets/blind/blind.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { ordinaryExchanges } from './exchanges.ts';

/** Lower bounds of the confidence classes; below the first, a finding is a hint. */
const CLASSES = [0.5, 0.7, 0.9] as const;
/** Share of harmful texts in the traffic for which confidences are calibrated. */
const HARMFUL = 0.1;

interface Subject {
  readonly name: string;
  readonly codes: readonly ViolationCode[];
  readonly harmful: readonly string[];
  readonly harmless: readonly string[];
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'attacks on models',
    codes: VIOLATION_GROUPS.PROMPT_INJECTION,
    harmful: ATTACKS,
    harmless: HARMLESS,
  },
  { name: 'dangerous requests', codes: ['DANGEROUS_INSTRUCTIONS'], harmful: UNSAFE, harmless: SAFE },
  { name: 'hatred', codes: ['HATE_SPEECH'], harmful: HATEFUL, harmless: NOT_HATEFUL },
];

const classOf = (confidence: number): number => CLASSES.findLastIndex((from) => confidence >= from);

/** The share of the texts whose most confident finding of these codes is in each class. */
function sharesOf(texts: readonly string[], codes: readonly ViolationCode[]): number[] {
  const counts = CLASSES.map(() => 0);
  for (const text of texts) {
    const found = detect([{ source: 'prompt', text }]).filter(({ code }) => codes.includes(code));
    const index = classOf(Math.max(0, ...found.map(({ confidence }) => confidence)));
    if (index >= 0) counts[index]! += 1;
  }
  return counts.map((count) => count / texts.length);
}

/** How many of a hundred findings with a confidence are correct, in traffic in which one text in ten is harmful. */
export const reliabilityPart: EvaluationPart = (data) => {
  if (data === null) return [];
  const ordinary = ordinaryExchanges(data).map(({ prompt }) => prompt);
  return SUBJECTS.flatMap(({ name, codes, harmful, harmless }) => {
    const right = sharesOf(harmful, codes);
    const wrong = sharesOf([...ordinary, ...harmless], codes);
    return CLASSES.map((from, index): EvaluatedItem => {
      const [rightly, wrongly] = [HARMFUL * right[index]!, (1 - HARMFUL) * wrong[index]!];
      return {
        item: `${name}: confidence ${from} to ${CLASSES[index + 1] ?? 1}`,
        figure: 'share right',
        value: rightly + wrongly === 0 ? 1 : rightly / (rightly + wrongly),
        first: null,
        goal: null,
        better: 'HIGHER',
        how:
          `one text in ten harmful: ${Math.round(100 * right[index]!)} % of ${harmful.length} of the blind set are in this class, ` +
          `${(1_000 * wrong[index]!).toFixed(1)} of 1,000 of ${ordinary.length + harmless.length} harmless ones`,
      };
    });
  });
};
