/** Pages that a list holds: whoever looks for more narrows the filters, or takes an export. */
export const MAX_PAGES = 20;
/** Of a list of which only rows in sight are drawn. */
const MAX_PAGES_LONG = 100;

/** Where the page behind the last one begins; null: there is none, or the list holds as many as it may. */
export const nextPage = (nextCursor: string | null, pages: number, isLong: boolean): string | null =>
  pages >= (isLong ? MAX_PAGES_LONG : MAX_PAGES) ? null : nextCursor;
