import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';

export interface Shown {
  readonly verdict: string;
  /** As `file: reason`. */
  readonly faults: readonly string[];
  readonly facts: readonly string[];
  /** Names and states of the steps. */
  readonly steps: Readonly<Record<string, string>>;
}

/** Reads everything at once: single queries take longer than the verification. */
const READ_RESULT = `(() => {
  const textsOf = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  const states = textsOf('#steps .state');
  return {
    verdict: textsOf('#verdict')[0],
    faults: textsOf('#faults > li'),
    facts: textsOf('#facts > li'),
    steps: Object.fromEntries(textsOf('#steps strong').map((step, at) => [step, states[at]])),
  };
})()`;

/** The page of an archive opened by double click, with records of everything that it should never do. */
export interface OpenedPage {
  readonly page: Page;
  /** Requested addresses, console messages and dialogs. */
  readonly asked: string[];
  readonly complaints: string[];
  /** Enters a file and a key and waits for the result. */
  verify(bytes: Buffer, key: string): Promise<Shown>;
  shown(): Promise<Shown>;
}

/** `folder`: receives the archives' files to open. */
export async function openPage(context: BrowserContext, html: string, folder: string): Promise<OpenedPage> {
  const file = path.join(folder, 'verify.html');
  writeFileSync(file, html);
  const page = await context.newPage();
  const [asked, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href);
  const shown = async (): Promise<Shown> => {
    // Shorter than the test's own timeout, which would hide the reason.
    await page.locator('#result:not([data-state=running])').waitFor({ timeout: 10_000 });
    return page.evaluate<Shown>(READ_RESULT);
  };
  return {
    page,
    asked,
    complaints,
    shown,
    verify: async (bytes, key) => {
      const buffer = { name: 'package.zip', mimeType: 'application/zip', buffer: bytes };
      await page.getByLabel('Package (.zip)').setInputFiles(buffer);
      await page.getByLabel('Verifier key').fill(key);
      await page.getByRole('button', { name: 'Verify' }).click();
      return shown();
    },
  };
}
