import type { Page } from 'playwright-core';
import { MARKUP } from './pages.ts';

/** Texts that a page reads rather than shows: places in time, cursors, what chooses a way. */
const READ = /^(?:\d{4}-\d{2}-\d{2}T.*Z|minute|hour|day)$/;
const IDS = new Set(['id', 'auditId', 'nextCursor', 'csrfToken']);

/** An answer with every text in it replaced by markup. */
const hostile = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return READ.test(value) || IDS.has(name) ? value : MARKUP;
  if (Array.isArray(value)) return value.map((one) => hostile(one, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hostile(one, key)]));
};

/** From now on every answer of the service to the page is full of markup. */
export async function hostileAnswers(page: Page): Promise<void> {
  await page.route(/^http:\/\/[^/]+\/(?!ui)/, async (route) => {
    if (route.request().url().includes('/dashboard/stream')) return route.continue();
    const answer = await route.fetch();
    const made = hostile(await answer.json()) as { data?: { slug?: string } };
    // Further questions name it.
    if (made.data?.slug !== undefined) made.data.slug = 'customer-support';
    await route.fulfill({ response: answer, json: made });
  });
}
