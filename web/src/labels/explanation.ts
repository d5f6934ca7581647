import { inSentence, LABELS, label, regulationLabel, violationPhrase } from './label.ts';

/** Kinds of codes that occur in sentences stored by the service, in the order in which a code is looked up. */
const IN_SENTENCES = ['violation', 'entityType', 'riskLevel', 'suppressionReason'] as const;

/** Words in capitals that are not part of a placeholder such as `[EMAIL_REDACTED]` or of a masked value. */
const CODE = /(?<![\w*[@.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?![\w*@\]-])/g;

function inWords(code: string): string {
  const kind = IN_SENTENCES.find((one) => Object.hasOwn(LABELS[one], code));
  if (kind !== undefined) return inSentence(label(kind, code));
  return Object.hasOwn(LABELS.framework, code) ? regulationLabel(code) : code;
}

/** A sentence stored by the service, with labels in place of codes. */
export const withLabels = (sentence: string): string => sentence.replace(CODE, inWords);

const RAISED: readonly (readonly [stored: string, shown: string])[] = [
  [
    'one level up because several kinds of personal data stand together',
    'raised one level because several kinds of personal data appear together',
  ],
  [
    'one level up because the response holds personal data',
    'raised one level because the response contains personal data',
  ],
  [
    'one level up because the response gives the instructions',
    'raised one level because the response gives the instructions',
  ],
];

const DECIDED = /^Risk is ([A-Z]+): ([A-Z_]+) decides, ([^.]+)\./;
const OUTSIDE = 'Risk is LOW: the findings are outside what this sandbox reports.';

/** The explanation of a signal or a scan as it is shown; the ledger keeps it as it was recorded. */
export function explanationText(stored: string): string {
  if (stored.startsWith(OUTSIDE))
    return withLabels(stored.replace(OUTSIDE, 'Low: this sandbox doesn’t report what was detected.'));
  const text = stored.replace(DECIDED, (_all, level: string, code: string, reason: string) => {
    const raised = RAISED.find(([one]) => one === reason)?.[1];
    const start = `${label('riskLevel', level)} because of ${violationPhrase(code)}`;
    return raised === undefined ? `${start}.` : `${start}; ${raised}.`;
  });
  return withLabels(text)
    .replace('Nothing was found that this service looks for.', 'Nothing was detected.')
    .replace('Seen but not reported by this sandbox:', 'Detected but not reported by this sandbox:')
    .replace('Regulations concerned:', 'Relevant regulations:');
}
