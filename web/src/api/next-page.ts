/** Maximum number of pages in a list: to see more, users narrow the filters or export. */
export const MAX_PAGES = 20;
/** For a list that draws only visible rows. */
const MAX_PAGES_LONG = 100;

/** Cursor of the next page; null when there is none, or the list is full. */
export const nextPage = (nextCursor: string | null, pages: number, isLong: boolean): string | null =>
  pages >= (isLong ? MAX_PAGES_LONG : MAX_PAGES) ? null : nextCursor;
