/** Pages that a list holds: whoever looks for more narrows the filters, or takes an export. */
export const MAX_PAGES = 100;

/** Where the page behind the last one begins; null: there is none, or the list holds as many as it may. */
export const nextPage = (nextCursor: string | null, pages: number): string | null =>
  pages >= MAX_PAGES ? null : nextCursor;
