/** Addresses saved under a name in this browser. They contain filters, never keys or record texts. */

interface SavedView {
  readonly name: string;
  /** The part of the address after the question mark. */
  readonly search: string;
}

const KEY = 'saved-views';
/** Adding another removes the oldest. */
export const MAX_VIEWS = 50;
const MAX_NAME = 64;
const MAX_SEARCH = 2_000;

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedView).name === 'string' &&
  typeof (value as SavedView).search === 'string';

/** Stored views may come from another release or have been edited: invalid ones are skipped. */
export function readViews(storage: Pick<Storage, 'getItem'>): SavedView[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).slice(-MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

/** Saves the view, replacing one with the same name. An open sheet is not part of a view. */
export function saveView(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  name: string,
  search: string,
): SavedView[] {
  const kept = new URLSearchParams(search);
  kept.delete('open');
  kept.delete('tab');
  const view = { name: name.trim().slice(0, MAX_NAME), search: kept.toString() };
  const others = readViews(storage).filter((one) => one.name !== view.name);
  if (view.name === '' || view.search.length > MAX_SEARCH) return others;
  return write(storage, [...others, view].slice(-MAX_VIEWS));
}

export const forgetView = (storage: Pick<Storage, 'getItem' | 'setItem'>, name: string): SavedView[] =>
  write(
    storage,
    readViews(storage).filter((one) => one.name !== name),
  );

function write(storage: Pick<Storage, 'setItem'>, views: SavedView[]): SavedView[] {
  try {
    storage.setItem(KEY, JSON.stringify(views));
  } catch {
    // Storage is full or forbidden: the views last as long as the page.
  }
  return views;
}
