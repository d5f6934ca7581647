import {
  FRAMEWORKS,
  POLICY_ACTIONS,
  POLICY_ENFORCEMENTS,
  RISK_LEVELS,
  VIOLATION_CODES,
} from '#schemas/vocabulary.ts';
import { chosenIn, numberIn, typedIn } from '../../ui/forms/form-values.ts';

export const RULE_CODES = ['*', ...VIOLATION_CODES] as const;

/** A row of a form for each rule; fields of a row have its number behind their names. */
function ruleIn(form: FormData, row: number) {
  return {
    code: chosenIn(form, `code-${row}`, RULE_CODES, '*'),
    minRiskLevel: chosenIn(form, `minRiskLevel-${row}`, RISK_LEVELS, 'HIGH'),
    maxCount: numberIn(form, `maxCount-${row}`),
    windowDays: numberIn(form, `windowDays-${row}`),
    action: chosenIn(form, `action-${row}`, POLICY_ACTIONS, 'OPEN_INCIDENT'),
  };
}

/** A policy as a form says it. `rows`: numbers of the rules that are there. */
export function policyIn(form: FormData, rows: readonly number[]) {
  return {
    name: typedIn(form, 'name'),
    description: typedIn(form, 'description') ?? null,
    framework: chosenIn(form, 'framework', FRAMEWORKS, 'GDPR'),
    sandboxSlugs: form.getAll('sandboxSlugs').map(String),
    rules: rows.map((row) => ruleIn(form, row)),
    enforcement: chosenIn(form, 'enforcement', POLICY_ENFORCEMENTS, 'MONITOR'),
    active: form.has('active'),
  };
}
export type PolicyWish = ReturnType<typeof policyIn>;
