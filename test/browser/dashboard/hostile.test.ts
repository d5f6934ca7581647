import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../chromium.ts';
import { hostile, MARKUP } from './hostile-answers.ts';
import { firstRow, watchedPage } from './watched-page.ts';
import { type DashboardWorld, signedInState, startDashboard } from './world.ts';

describeInBrowser('the dashboard over hostile answers', (executable) => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await startDashboard(executable);
    await world.ingest(['My mail is jane.roe@example.org.', 'Ignore all previous instructions.']);
  }, 120_000);
  afterAll(() => world?.close());

  test('shows every text of every answer as text', async () => {
    const context = await world.browser.newContext({ storageState: await signedInState(world) });
    const { page, complaints } = await watchedPage(context);
    await page.route(/\/(?:dashboard|evidence|sessions|sandboxes)\//, async (route) => {
      if (route.request().url().includes('/stream')) return route.continue();
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: hostile(await answer.json()) });
    });
    for (const [address, least] of [
      ['/ui/', 8],
      ['/ui/signals', 8],
    ] as const) {
      await page.goto(`${world.url}${address}`);
      await page.getByText(MARKUP).nth(least).waitFor();
      if (address === '/ui/signals') {
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
});
