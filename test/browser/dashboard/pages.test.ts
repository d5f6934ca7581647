import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import { eventually } from '../../helpers/eventually.ts';
import { describeInBrowser } from '../chromium.ts';
import { codesShown, hiddenCodes } from './codes-shown.ts';
import { hostileAnswers } from './hostile-answers.ts';
import {
  DASHBOARD_PAGES,
  type DashboardPage,
  FAULTS,
  MARKUP,
  makeRecords,
  type PageRecords,
} from './pages.ts';
import { SETTLED } from './settled.ts';
import { viewsOf } from './views.ts';
import { createVisits, SIGNED_OUT, TELEPHONE, takePicture, WIDE } from './visits.ts';
import { type DashboardWorld, type SignedInState, signedInState, startDashboard } from './world.ts';

/** Compressed, what a page loads of scripts; pages are opened on bad lines too. */
const MAX_SCRIPT_BYTES = 200_000;
/** Of MARKUP, as it also stands in JSON that is shown. */
const MARKUP_END = MARKUP.slice(MARKUP.indexOf('javascript:'));
/** What markup would have made. */
const MADE_OF_MARKUP = 'img, iframe, object, embed, script:not([type=module])';
/** Colours are the same on every screen, and so are places in both schemes. */
const LOOKS = [
  ['wide, light', WIDE, 'light'],
  ['wide, dark', WIDE, 'dark'],
  ['narrow, light', TELEPHONE, 'light'],
] as const;
/** Also where a page searches. */
const SETTLED_MS = 20_000;
/** Sandboxes, signals and violations of that name are not there. */
const REFUSED = [400, 404];

const scriptBytesOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );

/** What holds for each page of the dashboard, whatever it shows. */
describeInBrowser('every page of the dashboard', (executable) => {
  let world: DashboardWorld;
  let state: SignedInState;
  let records: PageRecords;
  const visits = createVisits(
    () => world,
    () => state,
  );
  beforeAll(async () => {
    world = await startDashboard(executable, FAULTS);
    records = await makeRecords(world);
    state = await signedInState(world);
    await eventually('a campaign is found', 30_000, async () => {
      const { body } = await world.client.request('GET', '/evidence/correlations?source=STREAM');
      return (body.data as unknown as unknown[])[0];
    });
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  const addressOf = ({ address }: DashboardPage): string =>
    typeof address === 'string' ? address : address(records);
  const optionsOf = ({ isSignedOut }: DashboardPage) => (isSignedOut === true ? SIGNED_OUT : {});

  describe.each(DASHBOARD_PAGES.map((one) => [one.name, one] as const))('%s', (name, shown) => {
    test('can be used by all, wide and narrow, light and dark, and on a bad line', async () => {
      const { page, faultsForAll } = await visits.open(addressOf(shown), optionsOf(shown));
      const isThere = async (): Promise<void> => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        // As it is written: `stored` also stands beside every page.
        await page.getByText(new RegExp(shown.shown)).filter({ visible: true }).first().waitFor();
      };
      await isThere();
      await shown.act?.(page);
      const bytes = await scriptBytesOf(page);
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
      if (process.env.SCREENS !== undefined) process.stdout.write(`${name}: ${bytes} bytes of script\n`);
      for (const [look, viewport, colorScheme] of LOOKS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await isThere();
        expect([look, await faultsForAll()]).toEqual([look, []]);
        const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
        expect([look, isTooWide]).toEqual([look, false]);
        if (viewport === WIDE) await takePicture(page, `${name}-${colorScheme}`);
      }
    });

    const { markup } = shown;
    if (markup === undefined) return;
    test('shows every text of every answer as text', async () => {
      const { page } = await visits.open('/ui/nowhere', optionsOf(shown), REFUSED);
      await hostileAnswers(page);
      await page.goto(`${world.url}${addressOf(shown)}`);
      await page.getByText(MARKUP_END).nth(markup.least).waitFor({ state: 'attached' });
      await page.getByText(MARKUP_END).filter({ visible: true }).first().waitFor();
      await markup.look?.(page);
      expect(await page.locator(MADE_OF_MARKUP).count()).toBe(0);
      expect(await page.getByText('49', { exact: true }).count()).toBe(0);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

  test('no page shows a code of the API where it has a label', async () => {
    const codes = hiddenCodes();
    expect(codes).toEqual(
      expect.arrayContaining(['PROMPT_INJECTION', 'HIGH', 'NOT_FOUND', 'incidentsOpened']),
    );
    const { page } = await visits.open('/ui/');
    const { page: signedOut } = await visits.open('/ui/', SIGNED_OUT);
    const settle = (on: Page) =>
      eventually('the page is settled', SETTLED_MS, async () =>
        (await on.evaluate<boolean>(SETTLED)) ? true : undefined,
      );
    const pages = DASHBOARD_PAGES.map((one) => ({ ...one, address: addressOf(one) }));
    const found: Record<string, unknown> = {};
    for (const { address, act, isSignedOut } of [...pages, ...(await viewsOf(world, records))]) {
      const on = isSignedOut === true ? signedOut : page;
      try {
        // A fragment alone would not load another page.
        await on.goto('about:blank');
        await on.goto(`${world.url}${address}`);
        await settle(on);
        await act?.(on);
        await settle(on);
        const shown = await codesShown(on, codes);
        if (shown.length > 0) found[address] = shown;
      } catch (error) {
        found[address] = (error as Error).message.split('\n')[0];
      }
    }
    expect(found).toEqual({});
    // Where there are some they are found, wherever they are said.
    await page.evaluate(`document.title = 'HIGH'; document.body.append('GENERATING');
      document.querySelector('main').setAttribute('aria-label', 'A SECRET_LEAK')`);
    expect(await codesShown(page, codes)).toEqual(['GENERATING', 'HIGH', 'SECRET_LEAK']);
  }, 240_000);

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

  test('a page that is none says so, and an asset that is none is none', async () => {
    const { page } = await visits.open('/ui/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect((await fetch(`${world.url}/ui/assets/index.js`)).status).toBe(404);
  });
});
