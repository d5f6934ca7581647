import { numberIn, typedIn } from '../../ui/form/form-values.ts';

/** One form row per rule; field names end in the row's number. */
function ruleIn(form: FormData, row: number) {
  return {
    code: typedIn(form, `code-${row}`),
    minRiskLevel: typedIn(form, `minRiskLevel-${row}`),
    maxCount: numberIn(form, `maxCount-${row}`),
    windowDays: numberIn(form, `windowDays-${row}`),
    action: typedIn(form, `action-${row}`),
  };
}

/** The policy in a form; the service checks it. `rows`: numbers of the rule rows present. */
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
export type PolicyRequest = ReturnType<typeof policyIn>;
