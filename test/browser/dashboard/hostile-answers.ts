import type { Page } from 'playwright-core';
import { MARKUP } from './pages.ts';

/** Texts that a page parses rather than shows: times, intervals, and values that select code paths. */
const READ = /^(?:\d{4}-\d{2}-\d{2}T.*Z|minute|hour|day)$/;
const IDS = new Set(['id', 'auditId', 'nextCursor', 'csrfToken']);

/** A response with every text replaced by markup. */
const hostile = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return READ.test(value) || IDS.has(name) ? value : MARKUP;
  if (Array.isArray(value)) return value.map((one) => hostile(one, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hostile(one, key)]));
};

/** From now on the page receives responses full of markup. */
export async function hostileAnswers(page: Page): Promise<void> {
  await page.route(/^http:\/\/[^/]+\/(?!ui)/, async (route) => {
    if (route.request().url().includes('/dashboard/stream')) return route.continue();
    const answer = await route.fetch();
    const made = hostile(await answer.json()) as { data?: { slug?: string } };
    // Further requests use it.
    if (made.data?.slug !== undefined) made.data.slug = 'customer-support';
    await route.fulfill({ response: answer, json: made });
  });
}
