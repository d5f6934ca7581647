import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';

/** Detection settings as the API shows them: one field each, so that a change can name just one. */
interface DetectionFields {
  readonly allowedValues: string[];
  readonly allowedCidrs: string[];
  readonly allowedPatterns: string[];
  readonly detectorsOff: string[];
  readonly minConfidence: Record<string, number>;
}

export function shownDetection(detection: DetectionSettings | undefined): DetectionFields {
  return {
    allowedValues: [...(detection?.allowedValues ?? [])],
    allowedCidrs: [...(detection?.allowedCidrs ?? [])],
    allowedPatterns: [...(detection?.allowedPatterns ?? [])],
    detectorsOff: [...(detection?.detectorsOff ?? [])],
    minConfidence: Object.fromEntries(
      (detection?.minConfidence ?? []).map((one) => [one.of, one.confidence]),
    ),
  };
}

const once = (items: readonly string[]): string[] => [...new Set(items)];

type Sent = { readonly [Name in keyof DetectionFields]?: DetectionFields[Name] | undefined };

/**
 * The fields of a request as stored in a record, without duplicates in lists. Omitted fields stay as in `before`, and
 * empty detection settings are absent, as in records from before there were any.
 */
export function storedFields<Of extends Sent>(
  fields: Of,
  before?: DetectionSettings,
): Omit<Of, keyof DetectionFields> & { readonly detection?: DetectionSettings } {
  const { allowedValues, allowedCidrs, allowedPatterns, detectorsOff, minConfidence, ...others } = fields;
  const former = shownDetection(before);
  const detection: DetectionSettings = {
    allowedValues: once(allowedValues ?? former.allowedValues),
    allowedCidrs: once(allowedCidrs ?? former.allowedCidrs),
    allowedPatterns: once(allowedPatterns ?? former.allowedPatterns),
    detectorsOff: once(detectorsOff ?? former.detectorsOff),
    minConfidence: Object.entries(minConfidence ?? former.minConfidence)
      .map(([of, confidence]) => ({ of, confidence }))
      .sort((a, b) => (a.of < b.of ? -1 : 1)),
  };
  const isEmpty = Object.values(detection).every((list) => list.length === 0);
  return isEmpty ? others : { ...others, detection };
}
