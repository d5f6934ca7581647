import type { Signal } from '#schemas/api/signals.ts';
import { percent } from '../../format/numbers.ts';
import { regulationLabel } from '../../labels/label.ts';

/** Optional columns of the list, in addition to time, level and codes. */
export const COLUMNS = [
  {
    id: 'sandbox',
    label: 'Sandbox',
    width: 'minmax(0, 1fr)',
    textOf: ({ sandboxSlug }: Signal) => sandboxSlug,
  },
  { id: 'provider', label: 'Provider', width: '96px', textOf: ({ provider }: Signal) => provider },
  { id: 'model', label: 'Model', width: 'minmax(0, 1fr)', textOf: ({ model }: Signal) => model },
  {
    id: 'confidence',
    label: 'Confidence',
    width: '88px',
    // A clean signal has no confidence to show.
    textOf: ({ confidence, violations }: Signal) => (violations.length === 0 ? '–' : percent(confidence)),
  },
  {
    id: 'pii',
    label: 'Personal data',
    width: '104px',
    textOf: ({ piiDetected }: Signal) => (piiDetected ? 'Yes' : 'No'),
  },
  {
    id: 'regulation',
    label: 'Regulations',
    width: 'minmax(0, 1fr)',
    textOf: ({ regulation }: Signal) => regulation.map(regulationLabel).join(', '),
  },
  { id: 'index', label: 'Ledger entry', width: '96px', textOf: ({ index }: Signal) => String(index) },
] as const;
export type ColumnId = (typeof COLUMNS)[number]['id'];

const BY_DEFAULT: readonly ColumnId[] = ['sandbox', 'provider', 'model', 'confidence'];
const KEY = 'signal-columns';

/** The columns chosen in this browser; unknown names are skipped. */
export function readColumns(storage: Pick<Storage, 'getItem'>): readonly ColumnId[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (!Array.isArray(stored)) return BY_DEFAULT;
    return COLUMNS.map(({ id }) => id).filter((id) => stored.includes(id));
  } catch {
    return BY_DEFAULT;
  }
}

export function keepColumns(storage: Pick<Storage, 'setItem'>, columns: readonly ColumnId[]): void {
  try {
    storage.setItem(KEY, JSON.stringify(columns));
  } catch {
    // Storage is full or forbidden: the choice lasts as long as the page.
  }
}
