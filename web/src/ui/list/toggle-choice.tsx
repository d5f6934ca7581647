import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';

interface ToggleChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly {
    readonly value: Value;
    readonly shown: ReactNode;
    /** How many records the list has when it is chosen. */
    readonly count?: number | undefined;
  }[];
  /** Null: none is chosen. */
  readonly chosen: Value | null;
  /** Null: the choice was taken back. */
  readonly onChoose: (value: Value | null) => void;
  /** One of them is always chosen. */
  readonly isRequired?: boolean;
}

/** One of a few, side by side; where they do not fit they go on below. */
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
