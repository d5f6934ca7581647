/** The part of a file's address before `/ui/`, which all files of the page share. */
export const basePathOf = (fileAddress: string): string => {
  const { pathname } = new URL(fileAddress);
  return pathname.slice(0, Math.max(0, pathname.lastIndexOf('/ui/')));
};

/** Path under which a proxy serves the service, such as `/audit`; empty for none. Known only at run time. */
export const BASE_PATH = basePathOf(import.meta.url);

/** Address of the service, for commands and links outside the page. */
export const serviceUrl = (): string => window.location.origin + BASE_PATH;
