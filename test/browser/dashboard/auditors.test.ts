import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { describeInBrowser } from '../chromium.ts';
import { createVisits, SIGNED_OUT } from './visits.ts';
import { type DashboardWorld, type SignedInState, signedInState, startDashboard } from './world.ts';

const ALL = ['READ_SIGNALS', 'READ_ATTESTATIONS', 'READ_INCIDENTS', 'VERIFY_HASH_CHAIN', 'DOWNLOAD_PACKAGES'];

/** A customer shares its records with an auditor, who reads them without an account until the view is revoked. */
describeInBrowser('auditors', (executable) => {
  let world: DashboardWorld;
  let state: SignedInState;
  const visits = createVisits(
    () => world,
    () => state,
  );
  beforeAll(async () => {
    world = await startDashboard(executable);
    const [id] = await world.ingest([
      'My card is 4111 1111 1111 1111, my mail jane.roe@example.org.',
      'What is the capital of France?',
    ]);
    await world.client.request('POST', '/evidence/incidents', { signalId: id, title: 'A card in a prompt' });
    state = await signedInState(world);
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  const give = async (permissions: readonly string[], more: object = {}): Promise<string> => {
    const asked = { name: 'Ann Auditor', permissions, ...more };
    const { body } = await world.client.request('POST', '/evidence/auditors', asked);
    return (body as unknown as { data: { token: string } }).data.token;
  };

  test('an auditor’s view is created, its token shown once, opened, and revoked', async () => {
    const customer = await visits.open('/ui/auditors');
    const { page } = customer;
    await page.getByText('Invite auditor').click();
    await page.getByLabel('Name', { exact: true }).fill('Bob <b>Auditor</b>');
    await page.getByRole('button', { name: 'Create access' }).click();
    await page.getByText('Select at least one permission').waitFor();
    for (const name of ['Signals', 'Ledger verification']) await page.getByLabel(name).check();
    await page.getByRole('button', { name: 'Create access' }).click();
    const link = await page.getByRole('textbox', { name: 'Link to the auditor view' }).inputValue();
    const token = await page.getByRole('textbox', { name: 'Token' }).inputValue();
    expect(link).toBe(`${world.url}/ui/auditor#token=${token}`);
    expect(await customer.faultsForAll()).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(token);

    const auditor = await visits.open(link.slice(world.url.length), SIGNED_OUT, [401, 403]);
    const seen = auditor.page;
    await seen.getByText('Not granted to this token:').waitFor();
    expect(seen.url()).toBe(`${world.url}/ui/auditor`);
    expect(
      await seen.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain(token.slice(4));
    const titles = await seen.getByRole('heading', { level: 2 }).allTextContents();
    expect(titles).toEqual(['Signals', 'Ledger']);
    await seen.getByRole('region', { name: 'Signals table' }).getByRole('button').last().click();
    await seen.getByRole('button', { name: 'Verify in browser' }).click();
    await seen.getByText('Recorded in the signed ledger and unchanged').waitFor();
    await seen.getByRole('button', { name: 'Verify ledger' }).click();
    await seen.getByText(/^\S Valid$/).waitFor();
    await seen.getByRole('button', { name: 'latest checkpoint' }).click();
    await seen.getByText('Signed by the key below').waitFor();
    expect(await auditor.faultsForAll()).toEqual([]);

    const card = page.getByRole('listitem').filter({ hasText: 'Bob <b>Auditor</b>' });
    await card.getByRole('button', { name: 'Revoke' }).click();
    const revoke = card.getByRole('button', { name: 'Revoke access' });
    await card.getByLabel(/^Type Bob/).fill('Bob');
    expect(await revoke.isDisabled()).toBe(true);
    await card.getByLabel(/^Type Bob/).fill('Bob <b>Auditor</b>');
    await revoke.click();
    await card.getByText('Revoked', { exact: true }).first().waitFor();
    await seen.getByRole('button', { name: 'Refresh' }).click();
    await seen.getByText('This token isn’t valid').waitFor();
    expect(await seen.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Sign in with your token',
    ]);
  });

  test('a token can be typed, and is gone after a reload', async () => {
    const token = await give(ALL, { frameworks: ['GDPR'] });
    const auditor = await visits.open('/ui/auditor', SIGNED_OUT);
    const { page } = auditor;
    await page.getByLabel('Token', { exact: true }).fill('aud_no');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This isn’t an auditor token').waitFor();
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('region', { name: 'Coverage by framework' }).getByText('GDPR').waitFor();
    await page.getByRole('combobox', { name: 'Framework' }).selectOption('GDPR');
    await page.getByRole('heading', { name: 'GDPR controls' }).waitFor();
    expect(await page.getByText('Not granted').count()).toBe(0);
    await page.reload();
    await page.getByLabel('Token', { exact: true }).waitFor();
  });

  test('a link without a session or an auditor’s token signs no one in', async () => {
    const { page } = await visits.open('/ui/auditor#token=x', SIGNED_OUT);
    await page.getByText('contains no auditor token').waitFor();
    const other = await visits.open(`/ui/#token=aud_${'0'.repeat(64)}`, SIGNED_OUT);
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(other.page.url()).toBe(`${world.url}/ui/`);
  });
});
