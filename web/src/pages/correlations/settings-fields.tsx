import {
  MAX_MIN_SIGNALS,
  MAX_WINDOW_MINUTES,
  MIN_SIGNALS_FLOOR,
  MIN_WINDOW_MINUTES,
} from '#schemas/correlation-bounds.ts';
import { CORRELATION_DIMENSIONS, type CorrelationDimension } from '#schemas/vocabulary.ts';
import { Field } from '../../ui/field.tsx';
import { Checks } from '../../ui/form/checks.tsx';
import { asOptions } from '../../ui/form/select-field.tsx';

/** How patterns are looked for, in a run or as signals come. */
export interface Looking {
  readonly windowMinutes: number;
  readonly minSignals: number;
  readonly dimensions: readonly CorrelationDimension[];
}

export const BY_DEFAULT: Looking = {
  windowMinutes: 60,
  minSignals: 3,
  dimensions: CORRELATION_DIMENSIONS,
};

export const lookingOf = (sent: FormData): Looking => ({
  windowMinutes: Number(sent.get('windowMinutes')),
  minSignals: Number(sent.get('minSignals')),
  dimensions: CORRELATION_DIMENSIONS.filter((one) => sent.getAll('dimensions').includes(one)),
});

export function SettingsFields({ value }: { readonly value: Looking }) {
  return (
    <>
      <Field
        label="Window, minutes"
        name="windowMinutes"
        type="number"
        defaultValue={String(value.windowMinutes)}
        isRequired
        validate={(text) => within(text, MIN_WINDOW_MINUTES, MAX_WINDOW_MINUTES)}
        description={`Of BURST and CROSS_SANDBOX: ${MIN_WINDOW_MINUTES} to ${MAX_WINDOW_MINUTES}.`}
      />
      <Field
        label="Least signals"
        name="minSignals"
        type="number"
        defaultValue={String(value.minSignals)}
        isRequired
        validate={(text) => within(text, MIN_SIGNALS_FLOOR, MAX_MIN_SIGNALS)}
        description="A pattern has so many signals at least."
      />
      <Checks
        legend="Signals are told apart by"
        name="dimensions"
        options={asOptions(CORRELATION_DIMENSIONS)}
        chosen={value.dimensions}
      />
    </>
  );
}

function within(text: string, least: number, most: number): string | null {
  const number = Number(text);
  return Number.isInteger(number) && number >= least && number <= most
    ? null
    : `Expected a whole number from ${least} to ${most}`;
}
