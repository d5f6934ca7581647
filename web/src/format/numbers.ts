const WHOLE = new Intl.NumberFormat('en-GB');
/** Numbers from `from` on are shown in `unit`; a value that would round to `1,000` of one unit is shown in the next. */
const STEPS = [
  { from: 999_950_000, divisor: 1e9, unit: 'B' },
  { from: 999_950, divisor: 1e6, unit: 'M' },
  { from: 10_000, divisor: 1e3, unit: 'k' },
] as const;

/** Every digit: `12,345`. */
export const exactNumber = (value: number): string => WHOLE.format(value);

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Shortens large numbers: `9,999`, `12.3 k`, `1.2 M`. Callers show the exact one on hover. */
export function shortNumber(value: number): string {
  const step = STEPS.find(({ from }) => value >= from);
  if (step === undefined) return exactNumber(value);
  return `${WHOLE.format(tenths(value / step.divisor))} ${step.unit}`;
}

/** `1 signal`, `12,345 signals`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${exactNumber(value)} ${value === 1 ? one : many}`;

/** A share as `12.3 %`. */
export const percent = (share: number): string => `${tenths(share * 100)} %`;
