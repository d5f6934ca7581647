/** What somebody who sends triplets, or names a sandbox, may get into an answer. */
export const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}}javascript:alert(3)';

/** Texts that a page reads rather than shows: places in time, cursors, what chooses a way. */
const READ = /^(?:\d{4}-\d{2}-\d{2}T.*Z|minute|hour|day)$/;
const IDS = new Set(['id', 'auditId', 'nextCursor', 'csrfToken']);

/** An answer with that in every text that is shown. */
export const hostile = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return READ.test(value) || IDS.has(name) ? value : MARKUP;
  if (Array.isArray(value)) return value.map((one) => hostile(one, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hostile(one, key)]));
};
