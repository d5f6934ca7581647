import type { Sandbox } from '#schemas/api/sandboxes.ts';

interface Difference {
  readonly field: string;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

const LABELS: readonly (readonly [field: keyof Sandbox, label: string])[] = [
  ['name', 'Name'],
  ['sandboxType', 'Looks for'],
  ['customRules', 'Own rules'],
  ['allowedValues', 'Allowed values'],
  ['allowedCidrs', 'Allowed networks'],
  ['allowedPatterns', 'Allowed patterns'],
  ['detectorsOff', 'Detectors off'],
  ['minConfidence', 'Minimum confidence'],
  ['guardianAction', 'Guardian'],
  ['redactionStrategy', 'Values are shown'],
  ['alertThreshold', 'Alerts from'],
  ['regulations', 'Regulations'],
  ['region', 'Region'],
  ['active', 'Active'],
  ['deletedAt', 'Deleted'],
];

export const labelOf = (field: string): string => LABELS.find(([one]) => one === field)?.[1] ?? field;

function listOf(value: Sandbox[keyof Sandbox]): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object') return [String(value)];
  return Object.entries(value).map(([name, least]) => `${name} ${least}`);
}

/** Items of `items` beyond those in `others`, each as often as it is too many. */
function beyond(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const place = left.indexOf(item);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/** What one version has and the other has not, field by field. A list whose order alone changed differs as a whole. */
export function differencesOf(before: Sandbox | null, after: Sandbox): Difference[] {
  return LABELS.flatMap(([name, field]) => {
    const [former, now] = [before === null ? [] : listOf(before[name]), listOf(after[name])];
    if (JSON.stringify(former) === JSON.stringify(now)) return [];
    const [gone, come] = [beyond(former, now), beyond(now, former)];
    return gone.length + come.length > 0 ? [{ field, gone, come }] : [{ field, gone: former, come: now }];
  });
}
