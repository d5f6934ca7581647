import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { eventually } from '../../helpers/eventually.ts';
import { describeInBrowser } from '../chromium.ts';
import { startRelay } from './relay.ts';
import { createVisits } from './visits.ts';
import { type DashboardWorld, type SignedInState, signedInState, startDashboard } from './world.ts';

const PER_BATCH = 30;
const BATCH_MS = 100;
const BATCHES = 100;
const PER_SECOND = (PER_BATCH * 1_000) / BATCH_MS;
const SIGNALS = PER_BATCH * BATCHES;
const ROWS = 200;
const OUTAGE_MS = 15_000;
/** The browser's messages about connections broken by the relay. */
const BROKEN = /net::ERR_/;
/** As if the user returned to the tab: stale numbers are requested again, as every minute. */
const RETURN_TO_PAGE = `window.dispatchEvent(new Event('visibilitychange'))`;

/** The overview while signals arrive, the network breaks, or the warehouse is down. */
describeInBrowser('the live page', (executable) => {
  let world: DashboardWorld;
  let state: SignedInState;
  const visits = createVisits(
    () => world,
    () => state,
  );
  beforeAll(async () => {
    world = await startDashboard(executable);
    await world.ingest(['My card is 4111 1111 1111 1111.']);
    state = await signedInState(world);
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  /** 300 triplets a second in batches, like an application with much traffic. */
  const sendMany = async (accepted: Set<string>): Promise<void> => {
    const started = performance.now();
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const items = Array.from({ length: PER_BATCH }, (_, index) => ({
        sandboxSlug: 'customer-support',
        provider: 'openai',
        model: 'gpt-4o',
        prompt: `Please write to ann.${batch}.${index}@example.org about her order.`,
        response: 'Done.',
      }));
      const { body } = await world.client.request('POST', '/audit/ingest/batch', items);
      for (const { auditId } of body.data as unknown as { auditId: string }[]) accepted.add(auditId);
      const early = started + (batch + 1) * BATCH_MS - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    }
  };

  test('at 300 signals a second, with a pause and a disconnect, counts each signal once and misses none', async () => {
    const relay = await startRelay(world.url);
    const { page } = await visits.open('/ui/nowhere', {}, [BROKEN]);
    await page.goto(`${relay.url}/ui/`);
    const feed = page.getByRole('region', { name: 'Live signals' });
    await feed.getByText('Live', { exact: true }).waitFor();
    await feed.locator('.feed > li').first().waitFor();
    const accepted = new Set<string>();
    const sending = sendMany(accepted);
    await feed.getByRole('button', { name: /^Show [\d,]+ new$/ }).waitFor();
    await feed.getByRole('button', { name: 'Pause' }).click();
    relay.cut();
    await feed.getByText('Reconnecting…').waitFor();
    const atCut = accepted.size;
    await eventually('a second’s signals are missed', 20_000, async () =>
      accepted.size > atCut + PER_SECOND ? true : undefined,
    );
    relay.restore();
    await feed.getByText('Live', { exact: true }).waitFor();
    await sending;
    expect(accepted.size).toBe(SIGNALS);
    await feed.getByRole('button', { name: 'Show 3,000 new' }).waitFor({ timeout: 30_000 });
    await feed.getByRole('button', { name: 'Pause' }).click();
    await feed.getByRole('button', { name: /new$/ }).waitFor({ state: 'detached' });
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.feed a')].map(({ href }) => new URL(href).searchParams.get('open'))`,
    );
    expect(shown).toHaveLength(ROWS);
    expect(new Set(shown).size).toBe(ROWS);
    expect(shown.filter((id) => !accepted.has(id))).toEqual([]);
    expect(await feed.getByText('Too many to show live').count()).toBe(0);
    await relay.close();
  }, 120_000);

  test('while the warehouse is down numbers are marked as stale; nothing is lost, and the page recovers by itself', async () => {
    const { page, faultsForAll } = await visits.open('/ui/', {}, [503]);
    const totals = page.getByRole('region', { name: 'Audits processed' });
    await totals.getByText('audits', { exact: true }).waitFor();
    const before = Number(
      (await totals.locator('.headline .amount').first().textContent())!.replaceAll(',', ''),
    );
    await world.keepWarehouseDown(OUTAGE_MS);
    await eventually('numbers that are not renewed', 30_000, async () => {
      await page.evaluate(RETURN_TO_PAGE);
      return (await totals.getByText('Couldn’t refresh since').isVisible()) ? true : undefined;
    });
    expect(
      Number((await totals.locator('.headline .amount').first().textContent())!.replaceAll(',', '')),
    ).toBe(before);
    expect(await totals.textContent()).toMatch(/Request ID [0-9a-f-]{36}/);
    expect(await faultsForAll()).toEqual([]);
    const { page: other } = await visits.open('/ui/signals', {}, [503]);
    await other.getByRole('alert').last().waitFor({ timeout: 30_000 });
    // Accepted during the outage and stored after it.
    await world.ingest(['Where does the Rhine rise?']);
    await totals.getByText('Couldn’t refresh since').waitFor({ state: 'detached', timeout: 30_000 });
    await totals
      .getByText(`${(before + 1).toLocaleString('en-US')}`, { exact: true })
      .first()
      .waitFor({ timeout: 30_000 });
    await other.getByRole('button', { name: 'Try again' }).last().click();
    await other.getByRole('grid', { name: /signals$/ }).waitFor();
  }, 120_000);

  test('a row changed directly in the warehouse is shown as broken on the chain’s page, at its index', async () => {
    const { body } = await world.client.request('GET', '/dashboard/signals?limit=1');
    const [{ id, index }] = (body as unknown as { data: [{ id: string; index: number }] }).data;
    await world.changeTables(
      `ALTER TABLE signals UPDATE model = 'another' WHERE auditId = '${id}' SETTINGS mutations_sync = 2`,
    );
    const { page, faultsForAll } = await visits.open('/ui/chain');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page
      .getByText(`Broken at entry ${index.toLocaleString('en-US')}`)
      .first()
      .waitFor({ timeout: 30_000 });
    expect(await faultsForAll()).toEqual([]);
    await page.goto(`${world.url}/ui/signals?open=${id}`);
    await page.getByRole('button', { name: 'Verify in browser' }).click();
    await page.getByText('Verification failed').waitFor();
  }, 120_000);
});
