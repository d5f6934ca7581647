/** Longer texts are cut: tables need no more, and laying out megabytes would freeze the page. */
const MAX_CHARACTERS = 2_000;

/** Text for any value in a package. It is shown as text, never as markup. */
export function packageText(value: unknown): string {
  const text = plain(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plain).join(', ');
  return JSON.stringify(value);
}
