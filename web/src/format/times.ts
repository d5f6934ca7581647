/** Times are UTC everywhere: all users see the same time for a record. */

/** `2026-11-22 14:03:21 UTC`. Invalid times are shown unchanged. */
export function fullTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const text = at.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

/** `14:03:21 UTC`. */
export const clockTime = (iso: string): string => fullTime(iso).slice(11);

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `November 2026` for `2026-11`. */
export const monthName = (month: string): string => {
  const at = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? month : MONTH.format(at);
};

/** Axis label: `14:03`, or the date `11-22` at the start of a day. */
export const axisTime = (iso: string): string =>
  iso.slice(11, 16) === '00:00' ? iso.slice(5, 10) : iso.slice(11, 16);

const UNITS = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
  { seconds: 1, name: 's' },
] as const;

/** `7 s`, `3 min`, `2 h`, `5 d`: the largest unit with at least one, rounded down. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const unit = UNITS.find((one) => whole >= one.seconds) ?? UNITS[3];
  return `${Math.floor(whole / unit.seconds)} ${unit.name}`;
}

/** `7 s ago`; `in 2 h` for future times. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (nowMs - new Date(iso).getTime()) / 1_000;
  if (Number.isNaN(seconds)) return '';
  return seconds < 0 ? `in ${duration(-seconds)}` : `${duration(seconds)} ago`;
}

/** A time that may be short: `12 ms`, `3.4 s`, and from a minute on like `duration`. */
export function span(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  return duration(ms / 1_000);
}
