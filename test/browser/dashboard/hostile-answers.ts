import { expect, test } from '@jest/globals';
import { firstRow, watchedPage } from './watched-page.ts';
import type { DashboardWorld, SignedInState } from './world.ts';

/** What somebody who sends triplets, or names a sandbox, may get into an answer. */
export const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}}javascript:alert(3)';

/** Texts that a page reads rather than shows: places in time, cursors, what chooses a way. */
const READ = /^(?:\d{4}-\d{2}-\d{2}T.*Z|minute|hour|day)$/;
const IDS = new Set(['id', 'auditId', 'nextCursor', 'csrfToken']);

/** An answer with every text in it replaced by markup. */
export const hostile = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return READ.test(value) || IDS.has(name) ? value : MARKUP;
  if (Array.isArray(value)) return value.map((one) => hostile(one, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hostile(one, key)]));
};

/** Tests of what a page makes of answers that are full of markup. `given`: once the tests run. */
export function hostileAnswers(
  given: () => { readonly world: DashboardWorld; readonly state: SignedInState },
): void {
  test('shows every text of every answer as text', async () => {
    const { world, state } = given();
    const context = await world.browser.newContext({ storageState: state });
    // A sandbox of that name is not there, and a violation of that name is none.
    const { page, complaints } = await watchedPage(context, [400, 404]);
    await page.route(/\/(?:dashboard|evidence|sessions|sandboxes)\//, async (route) => {
      if (route.request().url().includes('/stream')) return route.continue();
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: hostile(await answer.json()) });
    });
    for (const [address, least] of [
      ['/ui/', 8],
      ['/ui/signals?violation=SECRET_LEAK', 5],
    ] as const) {
      await page.goto(`${world.url}${address}`);
      await page.getByText(MARKUP).nth(least).waitFor();
      if (address !== '/ui/') {
        await firstRow(page).click();
        await page.getByRole('complementary').getByText(MARKUP).nth(4).waitFor();
        await page.getByRole('button', { name: 'Check the proof' }).click();
        await page.getByText('The proof does not hold').waitFor();
      }
      const elements = await page.locator('img, iframe, object, embed, script:not([type=module])').count();
      expect([address, elements]).toEqual([address, 0]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('lets no text become markup and no request out, by its policy', async () => {
    const { world } = given();
    const context = await world.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${world.url}/ui/`);
    const tries = [
      `fetch('http://127.0.0.1:9/').then(() => 'out', () => 'kept')`,
      `try { document.body.innerHTML = '<p>'; 'out' } catch { 'kept' }`,
      `try { const one = document.createElement('script'); one.text = 'document.title = "run"'; document.body.append(one); document.title === 'run' ? 'out' : 'kept' } catch { 'kept' }`,
      `new Promise((done) => { const frame = document.createElement('iframe'); document.addEventListener('securitypolicyviolation', () => done('kept'), { once: true }); frame.src = 'http://127.0.0.1:9/'; document.body.append(frame); })`,
    ];
    for (const one of tries) expect([one, await page.evaluate(one)]).toEqual([one, 'kept']);
    await context.close();
  });
}
