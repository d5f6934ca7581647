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

/** The settings of a history scan or of detection in real time. */
export interface ScanSettings {
  readonly windowMinutes: number;
  readonly minSignals: number;
  readonly dimensions: readonly CorrelationDimension[];
}

export const BY_DEFAULT: ScanSettings = {
  windowMinutes: 60,
  minSignals: 3,
  dimensions: CORRELATION_DIMENSIONS,
};

export const settingsIn = (sent: FormData): ScanSettings => ({
  windowMinutes: Number(sent.get('windowMinutes')),
  minSignals: Number(sent.get('minSignals')),
  dimensions: CORRELATION_DIMENSIONS.filter((one) => sent.getAll('dimensions').includes(one)),
});

export function SettingsFields({ value }: { readonly value: ScanSettings }) {
  return (
    <>
      <Field
        label="Window (minutes)"
        name="windowMinutes"
        type="number"
        defaultValue={String(value.windowMinutes)}
        isRequired
        validate={(text) => within(text, MIN_WINDOW_MINUTES, MAX_WINDOW_MINUTES)}
        description={`For spikes and patterns across sandboxes: ${MIN_WINDOW_MINUTES} to ${MAX_WINDOW_MINUTES}.`}
      />
      <Field
        label="Minimum signals"
        name="minSignals"
        type="number"
        defaultValue={String(value.minSignals)}
        isRequired
        validate={(text) => within(text, MIN_SIGNALS_FLOOR, MAX_MIN_SIGNALS)}
      />
      <Checks
        legend="Group by"
        name="dimensions"
        options={asOptions(CORRELATION_DIMENSIONS, 'dimension')}
        chosen={value.dimensions}
      />
    </>
  );
}

function within(text: string, min: number, max: number): string | null {
  const number = Number(text);
  return Number.isInteger(number) && number >= min && number <= max
    ? null
    : `Enter a whole number from ${min} to ${max}`;
}
