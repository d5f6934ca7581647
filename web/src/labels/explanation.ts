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

const LEVEL = /^Risk is ([A-Z]+)(?: because of ([A-Z_]+))?/;

/** The explanation of a signal or a scan as it is shown; the ledger keeps it as recorded. */
export const explanationText = (stored: string): string =>
  withLabels(
    stored.replace(LEVEL, (_all, level: string, code: string | undefined) => {
      const shown = label('riskLevel', level);
      return code === undefined ? shown : `${shown} because of ${violationPhrase(code)}`;
    }),
  );
