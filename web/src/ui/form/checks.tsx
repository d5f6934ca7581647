import { useId } from 'react';

interface ChecksProps {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly says?: string }[];
  /** Values checked initially. */
  readonly chosen?: readonly string[];
  readonly description?: string;
}

/** Multiple choice; each value has a description. */
export function Checks({ legend, name, options, chosen = [], description }: ChecksProps) {
  const id = useId();
  return (
    <fieldset className="checks" aria-describedby={description === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {description !== undefined && (
        <p id={id} className="muted">
          {description}
        </p>
      )}
      {options.map(({ value, label, says }) => (
        <label key={value} className="check">
          <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} />
          <span>
            {label}
            {says !== undefined && <span className="muted"> {says}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  readonly label: string;
  readonly name: string;
  readonly defaultChecked?: boolean;
  readonly says?: string;
}

/** One yes-or-no setting. */
export function Check({ label, name, defaultChecked = false, says }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" name={name} defaultChecked={defaultChecked} />
      <span>
        {label}
        {says !== undefined && <span className="muted"> {says}</span>}
      </span>
    </label>
  );
}
