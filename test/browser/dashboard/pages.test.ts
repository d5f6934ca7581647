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

/** Compressed size of a page's scripts, for slow connections. */
const MAX_SCRIPT_BYTES = 200_000;
/** The end of MARKUP, which reads the same in JSON. */
const MARKUP_END = MARKUP.slice(MARKUP.indexOf('javascript:'));
/** Elements that the markup would create. */
const MADE_OF_MARKUP = 'img, iframe, object, embed, script:not([type=module])';
/** Colours do not depend on the width, nor positions on the colour scheme. */
const APPEARANCES = [
  ['wide, light', WIDE, 'light'],
  ['wide, dark', WIDE, 'dark'],
  ['narrow, light', TELEPHONE, 'light'],
] as const;
/** Enough for pages that search. */
const SETTLED_MS = 20_000;
/** Sandboxes, signals and violations of that name do not exist. */
const REFUSED = [400, 404];

const scriptBytesOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );

/** Rules for every page of the dashboard, regardless of its content. */
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
    test('is accessible at every width and colour scheme, and small enough for a slow connection', async () => {
      const { page, faultsForAll } = await visits.open(addressOf(shown), optionsOf(shown));
      const isThere = async (): Promise<void> => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        // Case-sensitive: the navigation of every page also contains `stored`.
        await page.getByText(new RegExp(shown.shown)).filter({ visible: true }).first().waitFor();
      };
      await isThere();
      await shown.act?.(page);
      const bytes = await scriptBytesOf(page);
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
      if (process.env.SCREENS !== undefined) process.stdout.write(`${name}: ${bytes} bytes of script\n`);
      for (const [appearance, viewport, colorScheme] of APPEARANCES) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await isThere();
        expect([appearance, await faultsForAll()]).toEqual([appearance, []]);
        const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
        expect([appearance, isTooWide]).toEqual([appearance, false]);
        if (viewport === WIDE) await takePicture(page, `${name}-${colorScheme}`);
      }
    });

    const { markup } = shown;
    if (markup === undefined) return;
    test('renders every text of every response as text', async () => {
      const { page } = await visits.open('/ui/nowhere', optionsOf(shown), REFUSED);
      await hostileAnswers(page);
      await page.goto(`${world.url}${addressOf(shown)}`);
      await page.getByText(MARKUP_END).nth(markup.least).waitFor({ state: 'attached' });
      await page.getByText(MARKUP_END).filter({ visible: true }).first().waitFor();
      await markup.open?.(page);
      expect(await page.locator(MADE_OF_MARKUP).count()).toBe(0);
      expect(await page.getByText('49', { exact: true }).count()).toBe(0);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

  test('no page shows an API code that has a label', async () => {
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
        // Changing only the fragment would not load another page.
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
    // Proves that the search finds codes in every position.
    await page.evaluate(`document.title = 'HIGH'; document.body.append('GENERATING');
      document.querySelector('main').setAttribute('aria-label', 'A SECRET_LEAK')`);
    expect(await codesShown(page, codes)).toEqual(['GENERATING', 'HIGH', 'SECRET_LEAK']);
  }, 240_000);

  test('its policy blocks markup in texts and outgoing requests', async () => {
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

  test('an unknown page says so, and an unknown asset is not found', async () => {
    const { page } = await visits.open('/ui/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect((await fetch(`${world.url}/ui/assets/index.js`)).status).toBe(404);
  });
});
