import { existsSync } from 'node:fs';
import { type BrowserContext, chromium } from 'playwright-core';
import { describe, test } from '#jest';

/** Install locations on Debian and others; `CHROMIUM` overrides them. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const found = [process.env.CHROMIUM ?? '', ...PATHS].find((path) => path !== '' && existsSync(path));
const MISSING = 'there is no chromium: apt-get install chromium, or name one in CHROMIUM';

/** Tests in a real browser. Skipped with the reason if there is none, which fails on the build machine. */
export function describeInBrowser(name: string, body: (executable: string) => void): void {
  if (found !== undefined) describe(name, () => body(found));
  else if (process.env.CI === 'true')
    test(name, () => {
      throw new Error(MISSING);
    });
  else describe.skip(`${name} (skipped: ${MISSING})`, () => body('nowhere'));
}

export interface Offline {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A browser without a network. */
export async function startOffline(executablePath: string): Promise<Offline> {
  const browser = await chromium.launch({ executablePath });
  const context = await browser.newContext({ offline: true });
  return { context, close: () => browser.close() };
}
