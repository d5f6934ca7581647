/** The trimmed input; undefined when empty. */
export function typedIn(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** The checked ones among `values`. */
export const checkedIn = <Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
): Value[] => {
  const checked = new Set(form.getAll(name));
  return values.filter((value) => checked.has(value));
};

/** The chosen one of `values`; `otherwise` when none of them is chosen. */
export const chosenIn = <Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
  otherwise: Value,
): Value => values.find((value) => value === form.get(name)) ?? otherwise;

/** A number as typed; invalid ones are sent too, and the service reports what is wrong with them. */
export const numberIn = (form: FormData, name: string): number => Number(typedIn(form, name) ?? Number.NaN);
