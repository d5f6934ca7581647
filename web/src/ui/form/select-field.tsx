import { type ComponentProps, type ReactNode, useId } from 'react';
import { type LabelKind, label as labelOf } from '../../labels/label.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'id' | 'children'> {
  readonly label: string;
  readonly options: readonly Option[];
  /** Describes the field or the chosen value. */
  readonly description?: ReactNode;
}

/** A select with label and description. */
export function SelectField({ label, options, description, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} aria-describedby={description === undefined ? undefined : `${id}-says`} {...rest}>
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

/** Values as options; codes of a kind get their labels. */
export const asOptions = (values: readonly string[], kind?: LabelKind): Option[] =>
  values.map((value) => ({ value, label: kind === undefined ? value : labelOf(kind, value) }));
