/** What was typed, without spaces around it; undefined: nothing. */
export function typedIn(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** Those of `values` whose boxes are checked. */
export const checkedIn = <Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
): Value[] => {
  const checked = new Set(form.getAll(name));
  return values.filter((value) => checked.has(value));
};

/** The one of `values` that is chosen; `otherwise` when the form has none of them. */
export const chosenIn = <Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
  otherwise: Value,
): Value => values.find((value) => value === form.get(name)) ?? otherwise;

/** A whole number as typed; what is none goes to the service as it is, which says what is wrong with it. */
export const numberIn = (form: FormData, name: string): number => Number(typedIn(form, name) ?? Number.NaN);
