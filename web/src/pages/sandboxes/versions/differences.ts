import type { CHANGEABLE, Sandbox } from '#schemas/api/sandboxes.ts';
import { fullTime } from '../../../format/times.ts';
import { label, regulationLabel } from '../../../labels/label.ts';
import { minimumName } from '../form/explained.ts';

interface Difference {
  readonly field: string;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

type Field = (typeof CHANGEABLE)[number];

/** In the order of the form. */
const FIELDS: readonly Field[] = [
  'name',
  'sandboxType',
  'customRules',
  'allowedValues',
  'allowedCidrs',
  'allowedPatterns',
  'detectorsOff',
  'minConfidence',
  'guardianAction',
  'redactionStrategy',
  'alertThreshold',
  'regulations',
  'region',
  'active',
  'deletedAt',
];

/** How a field's values are shown; others are shown unchanged. */
const SHOWN: Readonly<Partial<Record<Field, (value: string) => string>>> = {
  sandboxType: (type) => label('detectionProfile', type),
  detectorsOff: (name) => label('detector', name),
  guardianAction: (action) => label('guardrail', action),
  redactionStrategy: (style) => label('redactionStyle', style),
  alertThreshold: (level) => label('riskLevel', level),
  regulations: regulationLabel,
  region: (region) => label('region', region),
  active: (isActive) => (isActive === 'true' ? 'Yes' : 'No'),
  deletedAt: fullTime,
};

function listOf(value: Sandbox[Field]): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object') return [String(value)];
  return Object.entries(value).map(([name, least]) => `${minimumName(name)}: ${least}`);
}

const shownOf = (sandbox: Sandbox | null, field: Field): string[] =>
  sandbox === null ? [] : listOf(sandbox[field]).map(SHOWN[field] ?? String);

/** Items of `items` that exceed those in `others`, counting duplicates. */
function beyond(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const index = left.indexOf(item);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** What only one of the versions has, field by field. If only a list's order changed, the whole list differs. */
export function differencesOf(before: Sandbox | null, after: Sandbox): Difference[] {
  return FIELDS.flatMap((name) => {
    const field = label('sandboxField', name);
    const [former, now] = [shownOf(before, name), shownOf(after, name)];
    if (JSON.stringify(former) === JSON.stringify(now)) return [];
    const [gone, come] = [beyond(former, now), beyond(now, former)];
    return gone.length + come.length > 0 ? [{ field, gone, come }] : [{ field, gone: former, come: now }];
  });
}
