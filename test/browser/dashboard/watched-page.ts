import axe from 'axe-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';

/** A page, with records of everything that it should never do. */
export interface WatchedPage {
  readonly page: Page;
  /** Console messages, errors, policy violations and dialogs. */
  readonly complaints: string[];
  /** Accessibility faults that axe finds on the current page, as `rule: element`. */
  faultsForAll(): Promise<string[]>;
}

/** Messages of the browser itself about expected responses. */
const EXPECTED = [
  // The page first asks whether there is a session.
  { status: 401, path: /^(?:\/audit)?\/sessions/ },
];

/** Default timeout for elements to appear. */
const PATIENCE_MS = 10_000;

const WATCH_POLICY = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile));`;

/** Expected messages of the browser about responses and connections: a status, or a pattern for the text. */
export type Expected = readonly (number | RegExp)[];

const isExpected = (text: string, address: string, more: Expected): boolean => {
  if (more.some((one) => one instanceof RegExp && one.test(text))) return true;
  const [, status] =
    /^Failed to load resource: the server responded with a status of (\d{3})/.exec(text) ?? [];
  if (status === undefined) return false;
  return (
    more.includes(Number(status)) ||
    EXPECTED.some((one) => one.status === Number(status) && one.path.test(new URL(address).pathname))
  );
};

/** `expected`: messages that the test itself causes. */
export async function watchedPage(context: BrowserContext, expected: Expected = []): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  await page.addInitScript(WATCH_POLICY);
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (!isExpected(message.text(), message.location().url || page.url(), expected))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    page,
    complaints,
    faultsForAll: async () => {
      await page.evaluate(axe.source);
      const found = await page.evaluate<string[]>(
        `axe.run(document).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html.slice(0, 200))))`,
      );
      return found;
    },
  };
}

/** The newest signal of the list; the list's head and chips are rows too. */
export const firstRow = (page: Page): Locator =>
  page
    .getByRole('grid', { name: /signals?$/ })
    .getByRole('row')
    .nth(1);
