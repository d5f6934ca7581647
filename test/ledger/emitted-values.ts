/** Fixed values of the entries created by `emitted.ts`. */
export const CUSTOMER = '0190cccc-0000-7000-8000-00000000000c';
export const ID = '0190eeee-0000-7000-8000-000000000001';
export const timeAt = (minute: number): string =>
  new Date(Date.UTC(2026, 2, 4, 5, minute, 7, 89)).toISOString();
export const AMPLE = {
  versionsPerDay: 1_000,
  sandboxesEver: 1_000,
  apiKeysEver: 1_000,
  incidentsEver: 1_000,
  auditorsEver: 1_000,
  policies: 1_000,
  storedBytes: 2 ** 30,
};
