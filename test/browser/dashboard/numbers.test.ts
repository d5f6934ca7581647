import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { createClient } from '../../../cli/command/client.ts';
import { PAGES } from '../../../web/src/address/pages.ts';
import { eventually } from '../../helpers/eventually.ts';
import { describeInBrowser } from '../chromium.ts';
import { SETTLED } from './settled.ts';
import { type StoredHistory, startStoredHistory } from './stored-history.ts';
import { type WatchedPage, watchedPage } from './watched-page.ts';

/** A number on a page that links to a list. */
interface FoundNumber {
  /** The page with the number, and the link's text. */
  readonly from: string;
  readonly text: string;
  readonly count: number;
  /** Address of the list. */
  readonly to: string;
}

const DAY_MS = 86_400_000;
const WAIT_MS = 30_000;
/** How long to wait for the expected total. */
const TOTAL_MS = 20_000;
/** The default period, and one that starts and ends in the middle of an interval. */
const PERIODS = ['', 'odd'] as const;
const WITH_PERIODS = ['/', '/signals', '/policies'];

/** Shows every chart as a table: a bar and its row link to the same signals. */
const AS_TABLES = `for (const button of document.querySelectorAll('main button'))
  if (button.textContent === 'View as table' && button.getAttribute('aria-pressed') !== 'true') button.click();`;
const LINKS = `[...document.querySelectorAll('main a[data-count]')].map((link) => ({
  text: link.textContent, count: Number(link.dataset.count), to: link.getAttribute('href') }))`;
/** Links that show a number other than a name, a time or a list record, but do not declare what they count. */
const UNCOUNTED = `[...document.querySelectorAll('main a:not([data-count]):not([data-row]):not([download])')]
  .map((link) => {
    const shown = link.cloneNode(true);
    for (const part of shown.querySelectorAll('time, code, .muted')) part.remove();
    return shown.querySelector('.amount') !== null || /(?:^|[\\s(])\\d[\\d,.]*(?:$|[\\s%)])/.test(shown.textContent)
      ? link.outerHTML.slice(0, 200) : null;
  })
  .filter((html) => html !== null)`;
const TOTAL = `document.querySelector('main .page-head [role=status]')?.textContent ?? ''`;

const countsOf = (selector: string): string =>
  `[...document.querySelectorAll('${selector}')].map(({ dataset }) => Number(dataset.count))`;

/** Shown as `1,234 signals`. */
const numberIn = (text: string): number =>
  Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? Number.NaN);

describeInBrowser('numbers of the dashboard', (executablePath) => {
  let world: StoredHistory;
  let browser: Browser;
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;
  let policyId: string;
  let signalId: string;
  const odd = (): string => {
    const [from, to] = [Date.now() - 7.4 * DAY_MS, Date.now() - DAY_MS].map((at) =>
      new Date(at).toISOString(),
    );
    return `from=${from}&to=${to}`;
  };
  beforeAll(async () => {
    world = await startStoredHistory();
    const client = createClient(world.url, world.customer.headers);
    const signals = (await client.request('GET', '/dashboard/signals?limit=100')).body.data;
    const ids = (signals as unknown as { id: string }[]).map(({ id }) => id);
    signalId = ids[3]!;
    for (const id of ids.slice(0, 4)) await client.request('POST', '/evidence/incidents', { signalId: id });
    const policy = { name: 'No addresses', framework: 'GDPR', rules: [{ code: 'EMAIL', maxCount: 1 }] };
    const made = await client.request('POST', '/evidence/policies', {
      ...policy,
      sandboxSlugs: ['sales_bot'],
    });
    policyId = String((made.body.data as unknown as { id: string }).id);
    browser = await chromium.launch({ executablePath });
    context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    watched = await watchedPage(context);
    page = watched.page;
    await page.goto(world.link);
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  /** A page left early keeps its searches running, and a customer may run only a few at once; the next page retries. */
  const isTooManyAtOnce = (complaint: string): boolean => complaint.includes('status of 429');
  afterEach(() => expect(watched.complaints.filter((one) => !isTooManyAtOnce(one))).toEqual([]));

  /** Navigates within the page, which keeps its loaded data. */
  const goTo = async (address: string): Promise<void> => {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)});
      new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`);
    await eventually(`${address} is shown`, WAIT_MS, async () =>
      (await page.evaluate<boolean>(SETTLED)) ? true : undefined,
    );
  };
  /** The total of the list once it is as expected; otherwise the last one shown. */
  const totalShown = async (expected: number): Promise<number> => {
    const shown = async (): Promise<number> => numberIn(await page.evaluate<string>(TOTAL));
    await eventually('the total', TOTAL_MS, async () =>
      (await shown()) === expected ? true : undefined,
    ).catch(() => undefined);
    return shown();
  };
  const addresses = (): string[] => [
    ...PAGES.filter(({ path }) => !WITH_PERIODS.includes(path)).map(({ path }) => path),
    ...['/?', '/signals?', `/policies?open=${policyId}&`].flatMap((path) =>
      PERIODS.map((period) => path + (period === 'odd' ? odd() : period)),
    ),
    '/controls?range=30d',
    `/signals?open=${signalId}`,
    `/signals?sandboxSlug=sales_bot&riskLevel=LOW,HIGH&${odd()}`,
    '/incidents?severity=HIGH',
    `/incidents?signalId=${signalId}`,
    '/controls?framework=GDPR&status=NO_EVIDENCE',
  ];

  test('link to lists of the same length, on every page and for every period', async () => {
    const found = new Map<string, FoundNumber>();
    for (const address of addresses()) {
      await goTo(`/ui${address}`);
      await page.evaluate(AS_TABLES);
      const links = await page.evaluate<Omit<FoundNumber, 'from'>[]>(LINKS);
      for (const link of links) found.set(`${link.to} ${link.count}`, { ...link, from: address });
      expect([address, await page.evaluate<string[]>(UNCOUNTED)]).toEqual([address, []]);
    }
    // Covers every kind of list, and periods with both ends.
    const lists = new Set([...found.values()].map(({ to }) => to.split('?')[0]));
    expect([...lists].sort()).toEqual(['/ui/audits', '/ui/controls', '/ui/incidents', '/ui/signals']);
    expect(found.size).toBeGreaterThan(80);
    const wrong: string[] = [];
    for (const { to, count, text, from } of found.values()) {
      await goTo(to);
      const total = await totalShown(count);
      if (total !== count) wrong.push(`${from}: "${text}" counts ${count}, and ${to} lists ${total}`);
    }
    expect(wrong).toEqual([]);
  }, 600_000);

  test('on filter buttons equal the total of the filtered list', async () => {
    const wrong: string[] = [];
    let pressed = 0;
    for (const address of [
      '/incidents',
      '/incidents?severity=HIGH',
      '/dead-letters',
      '/controls?range=30d',
    ]) {
      await goTo(`/ui${address}`);
      const buttons = page.locator('main button[data-count]');
      const counts = await page.evaluate<number[]>(countsOf('main button[data-count]'));
      for (const [index, count] of counts.entries()) {
        await buttons.nth(index).click();
        const total = await totalShown(count);
        if (total !== count) wrong.push(`${address}: button ${index} counts ${count}, the list ${total}`);
        await buttons.nth(index).click();
        pressed += 1;
      }
    }
    expect(pressed).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  }, 120_000);

  test.each(PERIODS)('of signals are the same above the list and in its bars: %s', async (period) => {
    await goTo(`/ui/signals?${period === 'odd' ? odd() : period}`);
    await page.evaluate(AS_TABLES);
    const cells = `[...document.querySelectorAll('.histogram td.number')].map(({ textContent }) => Number(textContent))`;
    const sum = await eventually('the bars count what the list has', WAIT_MS, async () => {
      const bars = await page.evaluate<number[]>(cells);
      const counted = bars.reduce((all, one) => all + one, 0);
      return counted === numberIn(await page.evaluate<string>(TOTAL)) ? counted : undefined;
    });
    if (period === '') expect(sum).toBeGreaterThan(15);
  });

  test('a bar at the end of a period links to as many signals as it shows', async () => {
    await goTo(`/ui/?${odd()}`);
    const strip = page.getByRole('img', { name: /^Low signals over time/ });
    const box = (await strip.locator('.u-over').boundingBox())!;
    await page.mouse.click(box.x + 2, box.y + box.height / 2);
    await page.getByRole('heading', { name: 'Signals' }).waitFor();
    const { searchParams } = new URL(page.url());
    await goTo(`/ui/signals?${searchParams}`);
    const from = searchParams.get('from')!;
    expect(Date.now() - Date.parse(from)).toBeLessThan(7.41 * DAY_MS);
    expect(Date.parse(searchParams.get('to')!)).toBeGreaterThan(Date.parse(from));
  });

  test('of accepted audits cover every status', async () => {
    await goTo('/ui/?range=90d');
    const tile = page.getByRole('region', { name: 'Audits processed' });
    const states = await tile.locator('.inline a').allTextContents();
    expect(states.map((text) => text.replace(/\s*\d+$/, ''))).toEqual([
      'Completed',
      'In progress',
      'Retrying',
      'Failed',
      'Erased',
    ]);
    const sum = states.reduce((all, text) => all + Number(/\d+$/.exec(text)), 0);
    expect(await tile.locator('.headline').first().textContent()).toBe(`${sum} audits`);
  });
});
