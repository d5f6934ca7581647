import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';

interface ToggleChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly {
    readonly value: Value;
    readonly shown: ReactNode;
    /** Number of records in the list when it is chosen. */
    readonly count?: number | undefined;
  }[];
  /** Null: none chosen. */
  readonly chosen: Value | null;
  /** Null: the choice was removed. */
  readonly onChoose: (value: Value | null) => void;
  /** One of them is always chosen. */
  readonly isRequired?: boolean;
}

/** One of a few values, side by side; they wrap where they do not fit. */
export function ToggleChoice<Value extends string>(props: ToggleChoiceProps<Value>) {
  const { label, options, chosen, onChoose, isRequired = false } = props;
  return (
    <ToggleButtonGroup
      aria-label={label}
      className="choice"
      selectionMode="single"
      disallowEmptySelection={isRequired}
      selectedKeys={chosen === null ? [] : [chosen]}
      onSelectionChange={(keys) => {
        const [key] = keys;
        onChoose(options.find(({ value }) => value === key)?.value ?? null);
      }}
    >
      {options.map(({ value, shown, count }) => (
        <ToggleButton key={value} id={value} className="button" data-count={count}>
          {shown}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
