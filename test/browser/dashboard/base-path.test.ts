import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { describeInBrowser } from '../chromium.ts';
import { DASHBOARD_PAGES, type DashboardPage, FAULTS, makeRecords, type PageRecords } from './pages.ts';
import { createVisits, SIGNED_OUT } from './visits.ts';
import { firstRow } from './watched-page.ts';
import { type DashboardWorld, type SignedInState, signedInState, startDashboard } from './world.ts';

const BASE = '/audit';
const LOADED = `performance.getEntriesByType('resource').map(({ name }) => name)`;

/**
 * Under a path of a host, the rest of the host belongs to other services: the dashboard must not request anything
 * there.
 */
describeInBrowser('the dashboard under a path', (executable) => {
  let world: DashboardWorld;
  let state: SignedInState;
  let records: PageRecords;
  const visits = createVisits(
    () => world,
    () => state,
  );
  beforeAll(async () => {
    world = await startDashboard(executable, { ...FAULTS, BASE_PATH: BASE });
    records = await makeRecords(world);
    // Signs in with the link of the first start, which is under the path.
    state = await signedInState(world);
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  const addressOf = ({ address }: DashboardPage): string =>
    typeof address === 'string' ? address : address(records);

  test('limits its session to the path', () => {
    expect(new URL(world.link).pathname).toBe(`${BASE}/ui/`);
    expect(state.cookies.map(({ name, path }) => ({ name, path }))).toEqual([
      { name: 'cas_session', path: BASE },
    ]);
  });

  test('opens every page by address and after a reload, and requests nothing outside the path', async () => {
    const asked: string[] = [];
    for (const shown of DASHBOARD_PAGES) {
      const { page } = await visits.open(addressOf(shown), shown.isSignedOut ? SIGNED_OUT : {});
      const there = page.getByText(new RegExp(shown.shown)).filter({ visible: true }).first();
      await there.waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/audit\/ui/);
      asked.push(...(await page.evaluate<string[]>(LOADED)));
      // An auditor's view keeps its token only in memory.
      if (!shown.isSignedOut) {
        page.on('request', (request) => asked.push(request.url()));
        await page.reload();
        await there.waitFor();
      }
      await page.context().close();
    }
    expect(asked.length).toBeGreaterThan(200);
    const { origin } = new URL(world.url);
    expect(asked.filter((url) => url.startsWith('http') && !url.startsWith(`${origin}${BASE}/`))).toEqual([]);
    expect(asked.some((url) => url.includes(`${BASE}/dashboard/stream`))).toBe(true);
  }, 240_000);

  test('keeps the path in its links, and addresses can be shared', async () => {
    const { page } = await visits.open('/ui/');
    await page.getByRole('link', { name: 'Signals', exact: true }).click();
    await firstRow(page).click();
    await page.getByRole('complementary').getByRole('heading', { name: 'Similar' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${BASE}/ui/signals`);
    await page.getByText('Export', { exact: true }).click();
    const file = page.getByRole('link', { name: 'NDJSON' });
    expect(await file.getAttribute('href')).toMatch(/^\/audit\/dashboard\/signals\/export\?/);
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('is reached from its address without the path', async () => {
    const { page } = await visits.open('/ui/');
    await page.goto(`${new URL(world.url).origin}/ui/signals?riskLevel=HIGH`);
    await page.getByRole('heading', { name: 'Signals' }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(`${BASE}/ui/signals?riskLevel=HIGH`);
  });

  test('signs in and shows its address in commands', async () => {
    const { page } = await visits.open('/ui/welcome');
    await page.getByText(`${world.url}/audit/ingest`).first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });
});
