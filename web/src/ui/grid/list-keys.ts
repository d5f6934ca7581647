/** What a key does in a list of `rows`, where `active` is the row under the cursor (-1: none). */
type ListMove = { readonly to: number } | 'open' | null;

const clamp = (index: number, rows: number): number => Math.min(Math.max(index, 0), rows - 1);

/** Rows that a page key skips. */
const PAGE = 10;

export function moveOf(key: string, active: number, rows: number): ListMove {
  if (rows === 0) return null;
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return { to: clamp(active + 1, rows) };
    case 'k':
    case 'ArrowUp':
      return { to: clamp(active - 1, rows) };
    case 'PageDown':
      return { to: clamp(active + PAGE, rows) };
    case 'PageUp':
      return { to: clamp(active - PAGE, rows) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: rows - 1 };
    case 'Enter':
      return active < 0 ? null : 'open';
    default:
      return null;
  }
}
