import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { sha256Hex } from '#core/evidence/native-crypto.ts';
import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { describeInBrowser } from '../chromium.ts';
import { createVisits } from './visits.ts';
import { type DashboardWorld, type SignedInState, signedInState, startDashboard } from './world.ts';

/** The service waits five seconds for the receipt; after that the page polls for it. */
const ERASURE_MS = 30_000;

/** Packages, policies and retention against a running service. */
describeInBrowser('evidence packages, policies and retention', (executable) => {
  let world: DashboardWorld;
  let state: SignedInState;
  let ids: string[];
  const visits = createVisits(
    () => world,
    () => state,
  );
  beforeAll(async () => {
    world = await startDashboard(executable);
    ids = await world.ingest([
      'My card is 4111 1111 1111 1111, my mail jane.roe@example.org.',
      'What is the capital of France?',
    ]);
    state = await signedInState(world);
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  const data = async <Data>(path: string): Promise<Data> =>
    (await world.client.request('GET', path)).body.data as Data;
  /** Output of `cas verify` for a downloaded file, with a key from another source. */
  const casVerify = async (file: string): Promise<string> => {
    const [key] = await data<{ vkey: string }[]>('/evidence/hash-chain/keys');
    const args = [compiledModule('cli/main.ts'), 'verify', file, '--key', key!.vkey];
    return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const downloaded = async (page: Page, button: string): Promise<Download> => {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).first().click();
    return coming;
  };

  test('a package is requested, built, downloaded, and verified without the service', async () => {
    const { page } = await visits.open('/ui/packages');
    await page.getByRole('button', { name: 'Create package' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'SHA-256' });
    await card.getByText('Ready', { exact: true }).waitFor();
    const listed = await card.locator('code').first().textContent();
    const download = await downloaded(page, 'Download');
    await page.getByText('The SHA-256 hash matches.').waitFor();
    const file = `${await download.path()}.zip`;
    await download.saveAs(file);
    expect(download.suggestedFilename()).toMatch(/^evidence-GDPR-[-0-9]{21}\.zip$/);
    expect(sha256Hex(readFileSync(file))).toBe(listed);
    expect(await casVerify(file)).toMatch(/signals/);
    expect(
      await page
        .getByLabel(/^Verifier key/)
        .first()
        .inputValue(),
    ).toContain('+');
    await page.getByRole('button', { name: 'Create package' }).click();
    await page.getByText('An identical package already exists').waitFor();
  });

  test('an enforced policy opens an incident, and its report names the violated rule', async () => {
    const visited = await visits.open('/ui/policies');
    const { page } = visited;
    await page.getByRole('button', { name: 'New policy' }).click();
    await page.getByLabel('Name').fill('No <i>secrets</i>');
    await page.getByLabel('Enforcement').selectOption('ENFORCE');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByLabel('Violation').last().selectOption('SECRET_LEAK');
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    await page.getByRole('button', { name: 'Create policy' }).click();
    const sheet = page.getByRole('complementary');
    await sheet.getByText('Pass: no rule').waitFor();
    const [policy] = await data<{ id: string; rules: { code: string }[] }[]>('/evidence/policies');
    expect(policy!.rules.map(({ code }) => code)).toEqual(['SECRET_LEAK']);
    await world.ingest([
      'The key is AKIAIOSFODNN7EXAMPLE, the secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.',
    ]);
    const report = () => data<{ incidentsOpened: number }>(`/evidence/policies/${policy!.id}/report`);
    while ((await report()).incidentsOpened === 0) await new Promise((done) => setImmediate(done));
    await page.reload();
    await sheet.getByText('Fail: a rule is over its limit').waitFor();
    await sheet.getByText('Leaked secret: 1 found, 0 allowed').waitFor();
    expect(await sheet.getByText('Incidents created').locator('xpath=..').textContent()).toMatch(/1$/);
    await sheet.getByRole('button', { name: 'Edit' }).click();
    await sheet.getByLabel('Signals allowed').fill('5');
    await sheet.getByRole('button', { name: 'Save new version' }).click();
    await sheet.getByText('Leaked secret: 1 found, 5 allowed').waitFor();
    expect(await visited.faultsForAll()).toEqual([]);
  });

  test('a legal hold keeps a signal; without it the signal is erased, and a receipt proves it', async () => {
    const id = ids[1]!;
    const visited = await visits.open('/ui/retention', {}, [404, 409]);
    const { page } = visited;
    await page.getByRole('button', { name: 'New policy' }).click();
    await page.getByLabel('Name').fill('Case 12');
    await page.getByRole('checkbox', { name: /^Legal hold/ }).check();
    await page.getByRole('button', { name: 'Create policy' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'Case 12' });
    await card.getByText('Legal hold', { exact: true }).waitFor();
    const typed = page.getByLabel('Signal ID');
    const erase = page.getByRole('button', { name: 'Erase permanently' });
    await typed.fill(id.slice(1));
    expect(await erase.isDisabled()).toBe(true);
    await typed.fill(id);
    await page.getByText('customer-support').first().waitFor();
    await erase.click();
    await page.getByRole('alert').getByText(/hold/).waitFor();
    await card.getByRole('button', { name: 'Delete' }).click();
    await card.getByLabel('Type Case 12').fill('Case 12');
    await card.getByRole('button', { name: 'End hold' }).click();
    await card.waitFor({ state: 'detached' });
    await erase.click();
    await page.getByText('Receipt valid').waitFor({ timeout: ERASURE_MS });
    const download = await downloaded(page, 'Download receipt');
    expect(await casVerify(await download.path())).toContain(`erasure of signal ${id}`);
    expect(await page.getByText('Event log').count()).toBe(1);
    await page.getByText('Erased (all time)').locator('xpath=..').getByText('1', { exact: true }).waitFor();
    expect(await visited.faultsForAll()).toEqual([]);
    const { url } = world;
    await page.goto(`${url}/ui/signals?open=${id}`);
    await page.getByRole('complementary').getByRole('alert').waitFor();
  });
});
