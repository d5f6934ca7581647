/** The part of a file's address before `/ui/`, below which all files of the page are. */
export const basePathOf = (fileAddress: string): string => {
  const { pathname } = new URL(fileAddress);
  return pathname.slice(0, Math.max(0, pathname.lastIndexOf('/ui/')));
};

/** Path under which a proxy serves the service, such as `/audit`; empty: none. Known at run time only. */
export const BASE_PATH = basePathOf(import.meta.url);

/** Address of the service, for commands and links that leave the page. */
export const serviceUrl = (): string => window.location.origin + BASE_PATH;
