import { numberIn, typedIn } from '../../ui/form/form-values.ts';

/** A row of a form for each rule; fields of a row have its number behind their names. */
function ruleIn(form: FormData, row: number) {
  return {
    code: typedIn(form, `code-${row}`),
    minRiskLevel: typedIn(form, `minRiskLevel-${row}`),
    maxCount: numberIn(form, `maxCount-${row}`),
    windowDays: numberIn(form, `windowDays-${row}`),
    action: typedIn(form, `action-${row}`),
  };
}

/** A policy as a form says it; the service checks it. `rows`: numbers of the rules that are there. */
export function policyIn(form: FormData, rows: readonly number[]) {
  return {
    name: typedIn(form, 'name'),
    description: typedIn(form, 'description') ?? null,
    framework: typedIn(form, 'framework'),
    sandboxSlugs: form.getAll('sandboxSlugs').map(String),
    rules: rows.map((row) => ruleIn(form, row)),
    enforcement: typedIn(form, 'enforcement'),
    active: form.has('active'),
  };
}
export type PolicyWish = ReturnType<typeof policyIn>;
