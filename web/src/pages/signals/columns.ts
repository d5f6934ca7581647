import type { Signal } from '#schemas/api/signals.ts';
import { percent } from '../../format/numbers.ts';

/** Columns of the list beside time, level and codes, which are always there. */
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
    textOf: ({ confidence }: Signal) => percent(confidence),
  },
  {
    id: 'pii',
    label: 'Personal data',
    width: '104px',
    textOf: ({ piiDetected }: Signal) => (piiDetected ? 'found' : ''),
  },
  {
    id: 'regulation',
    label: 'Regulations',
    width: 'minmax(0, 1fr)',
    textOf: ({ regulation }: Signal) => regulation.join(', '),
  },
  { id: 'index', label: 'Index', width: '80px', textOf: ({ index }: Signal) => String(index) },
] as const;
export type ColumnId = (typeof COLUMNS)[number]['id'];

const BY_DEFAULT: readonly ColumnId[] = ['sandbox', 'provider', 'model', 'confidence'];
const KEY = 'signal-columns';

/** What somebody chose in this browser; names that are no columns are passed over. */
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
    // Full or forbidden: the choice lasts as long as the page.
  }
}
