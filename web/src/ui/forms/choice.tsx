import { type ReactNode, useId } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly defaultValue?: string;
  readonly description?: ReactNode;
}

/** One of a few values, with its label and what it is for. */
export function Choice({ label, name, options, defaultValue, description }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        aria-describedby={description === undefined ? undefined : `${id}-says`}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {description !== undefined && (
        <span id={`${id}-says`} className="muted">
          {description}
        </span>
      )}
    </div>
  );
}

export const asOptions = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: value }));
