import { type ReactNode, useId } from 'react';
import { type LabelKind, label as labelOf } from '../../labels/label.ts';
import { SelectField } from './select-field.tsx';

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly nameOf?: (value: Value) => string;
  readonly isDisabled?: boolean;
  /** What the chosen value does. */
  readonly description: ReactNode;
  readonly onChange: (value: Value) => void;
}

/** A select, with a description of the chosen value. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, values, nameOf, isDisabled, description, onChange } = props;
  const known = values.includes(value) ? values : [value, ...values];
  return (
    <SelectField
      label={label}
      value={value}
      disabled={isDisabled}
      description={description}
      options={known.map((one) => ({ value: one, label: nameOf === undefined ? one : nameOf(one) }))}
      onChange={({ target }) => onChange(values.find((one) => one === target.value) ?? value)}
    />
  );
}

interface RadiosProps<Value extends string> {
  readonly label: string;
  /** Kind of the values, when they are codes. */
  readonly kind?: LabelKind;
  readonly value: Value;
  readonly texts: Readonly<Record<Value, string>>;
  readonly isDisabled?: boolean;
  readonly onChange: (value: Value) => void;
}

/** Radio buttons; each value has a description. */
export function Choices<Value extends string>({
  label,
  kind,
  value,
  texts,
  isDisabled,
  onChange,
}: RadiosProps<Value>) {
  const name = useId();
  return (
    <fieldset className="field choices" disabled={isDisabled}>
      <legend>{label}</legend>
      {(Object.entries(texts) as [Value, string][]).map(([one, text]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          <span>
            {kind === undefined ? one : labelOf(kind, one)}
            <span className="muted"> {text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
