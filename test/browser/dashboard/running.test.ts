import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { eventually } from '../../helpers/eventually.ts';
import { describeInBrowser } from '../chromium.ts';
import { FAILS, FAULTS } from './pages.ts';
import { createVisits, SIGNED_OUT } from './visits.ts';
import { type DashboardWorld, PASSWORD, type SignedInState, signedInState, startDashboard } from './world.ts';

const FAILING = 3;

/** Pages for operations: audits, dead letters, sandboxes, settings and the first steps. */
describeInBrowser('the dashboard’s operations pages', (executable) => {
  let world: DashboardWorld;
  let state: SignedInState;
  const visits = createVisits(
    () => world,
    () => state,
  );
  const { open } = visits;
  beforeAll(async () => {
    world = await startDashboard(executable, FAULTS);
    await world.ingest(['What is the capital of France?']);
    await world.ingest(
      Array.from({ length: FAILING }, (_, index) => `Number ${index}`),
      FAILS,
    );
    state = await signedInState(world);
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  test('a failed audit shows its steps, links to its dead letter, and completes after a replay', async () => {
    const { page, faultsForAll } = await open('/ui/audits');
    await page.getByRole('radio', { name: 'Failed' }).click();
    await page.getByText(`${FAILING} audits`).first().waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('FAILED');
    await page.getByRole('grid').press('j');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('complementary');
    await sheet.getByText('Open in Failed audits').waitFor();
    expect(await sheet.getByText('Analysis started').count()).toBe(3);
    expect(await faultsForAll()).toEqual([]);
    await sheet.getByRole('link', { name: 'Open in Failed audits' }).click();
    await page.getByRole('heading', { name: 'Failed audits', exact: true }).waitFor();
    await sheet.getByText('All three attempts failed.').waitFor();
    expect(await faultsForAll()).toEqual([]);
    await sheet.getByRole('button', { name: 'Replay audit' }).click();
    await sheet.getByText('Completed').waitFor();
    await sheet.getByText('Signal recorded').waitFor();
  });

  test('dead letters are counted, confirmed by their number, and all replayed', async () => {
    const { page, faultsForAll } = await open('/ui/dead-letters');
    await page.getByRole('button', { name: 'Filter by Analysis failed' }).click();
    expect(new URL(page.url()).searchParams.get('reason')).toBe('ANALYSIS_FAILED');
    await page.getByRole('button', { name: 'Preview' }).click();
    const left = FAILING - 1;
    await page.getByText(`${left} failed audits match. Nothing has been replayed yet.`).waitFor();
    expect(await faultsForAll()).toEqual([]);
    // Another dead letter arrives while the count is on screen.
    await world.ingest(['One more'], FAILS);
    await page.getByRole('button', { name: `Replay ${left} failed audits` }).click();
    await page.getByText('The number has changed.').waitFor();
    await page.getByRole('button', { name: `Replay ${left + 1} failed audits` }).click();
    await page.getByText(`${left + 1} replayed`).waitFor();
    await page.getByText('Done.').waitFor();
    expect(await faultsForAll()).toEqual([]);
    // The page is done once all are sent; they leave the list with the next flush.
    await eventually('no dead letter matches', 20_000, async () => {
      const again = { filter: {}, dryRun: true };
      const { body } = await world.client.request('POST', '/dead-letters/replay', again);
      return body.matched === 0 ? true : undefined;
    });
  });

  test('an API key is shown once, works, and is revoked after its prefix is typed', async () => {
    const { page, faultsForAll } = await open('/ui/settings');
    await page.getByLabel('Key name').fill('billing <b>');
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByText(/^cas_[0-9a-f]{48}$/);
    await shown.waitFor();
    const key = String(await shown.textContent());
    expect(await faultsForAll()).toEqual([]);
    const call = () => fetch(`${world.url}/usage`, { headers: { 'x-service-key': key } });
    expect((await call()).status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke billing' }).click();
    const revoke = page.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.isDisabled()).toBe(true);
    await page.getByLabel(/^Type .* to confirm$/).fill(key.slice(0, 8));
    expect(await faultsForAll()).toEqual([]);
    await revoke.click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await call()).status).toBe(401);
  });

  test('a sandbox is created, tried, changed, reviewed and deleted', async () => {
    const { page, faultsForAll } = await open('/ui/sandboxes');
    await page.getByRole('button', { name: 'New sandbox' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Help desk');
    expect(await page.getByLabel('Slug').inputValue()).toBe('help-desk');
    await page.getByRole('button', { name: 'Create sandbox' }).click();
    const text = 'Write to jane.roe@example.org about the zebra.';
    await page.getByRole('textbox', { name: 'Test prompt' }).fill(text);
    await page.locator('mark', { hasText: 'jane.roe@example.org' }).waitFor();
    await page.getByText('Redacted', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('textbox', { name: 'Rule 1' }).fill('zebra');
    await page.getByLabel('Block', { exact: false }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 2').waitFor();
    await page.getByText('Blocked', { exact: true }).waitFor();
    await page.locator('mark', { hasText: 'zebra' }).waitFor();
    await page.getByRole('button', { name: 'Changes in version 2' }).click();
    await page.getByText('now: Block').waitFor();
    expect(await faultsForAll()).toEqual([]);
    const kept = await page.evaluate<string>(
      'location.href + JSON.stringify([localStorage, sessionStorage, history.state])',
    );
    expect(kept).not.toMatch(/jane|zebra/);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel(/^Type help-desk/).fill('help-desk');
    await page.getByRole('button', { name: 'Delete sandbox' }).click();
    await page.getByLabel('Show deleted').check();
    await page.getByText('Deleted', { exact: true }).waitFor();
    await page.getByText('Help desk').click();
    await page.getByText('Its signals and versions are kept').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
    expect(await faultsForAll()).toEqual([]);
  });

  test('first steps are ticked automatically', async () => {
    const { page } = await open('/ui/signals', SIGNED_OUT);
    await page.getByRole('button', { name: 'Create one' }).click();
    await page.getByLabel('Email').fill('new@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Company or your name').fill('Newcomers');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await page.getByText('2 of 4 done').waitFor();
    const example = String(await page.locator('pre').last().textContent());
    expect(example).toContain('"sandboxSlug": "my-app"');
    const key = String(/x-service-key: (cas_[0-9a-f]{48})'/.exec(example)?.[1]);
    const [, body] = /-d '([^']*)'/.exec(example) ?? [];
    const answer = await fetch(`${world.url}/audit/ingest`, {
      method: 'POST',
      headers: { 'x-service-key': key, 'content-type': 'application/json' },
      body: String(body),
    });
    expect(answer.status).toBe(202);
    await page.getByText('All done').waitFor();
    await page.reload();
    await page.getByText('All done').waitFor();
    expect(await page.content()).not.toContain(key);
    expect(await page.locator('pre').textContent()).toContain('$KEY');
  });
});
