/** The page's colours: the system's, unless the user chose others in this browser. */
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEY = 'theme';

export const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value);

export function readTheme(storage: Pick<Storage, 'getItem'>): Theme {
  try {
    const stored = storage.getItem(KEY);
    return isTheme(stored) ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** Applies it at once, and saves it where the browser allows it. */
export function applyTheme(theme: Theme, root: HTMLElement, storage?: Pick<Storage, 'setItem'>): void {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    storage?.setItem(KEY, theme);
  } catch {
    // Storage is full or forbidden: the choice lasts as long as the page.
  }
}
