export interface PageRow {
  /** The first cell of the row: a log message or a metric. */
  readonly name: string;
  readonly level: string;
}

/** Rows of the page's tables that begin with a name in code. */
export function rowsOf(page: string): PageRow[] {
  return [...page.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)].map(([, name, level]) => ({
    name: name!,
    level: level!.trim(),
  }));
}
