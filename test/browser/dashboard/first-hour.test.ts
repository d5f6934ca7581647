import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { describeInBrowser } from '../chromium.ts';
import { createVisits, SIGNED_OUT, TELEPHONE, takePicture } from './visits.ts';
import { type DashboardWorld, PASSWORD, startDashboard } from './world.ts';

const GUESSABLE = 'password2026!';

/** From the link of the first start to a workspace that its user can sign in to. */
describeInBrowser('the first screens', (executable) => {
  let world: DashboardWorld;
  const visits = createVisits(
    () => world,
    () => SIGNED_OUT.storageState,
  );
  const { open } = visits;

  beforeAll(async () => {
    world = await startDashboard(executable);
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  test('the workspace of a link can be kept and later signed in to by email and password', async () => {
    const address = world.link.slice(world.url.length);
    // A guessable password is refused, and the stream of the first session ends with that session.
    const { page, faultsForAll } = await open(address, { viewport: TELEPHONE }, [400, 401]);
    await page.getByRole('heading', { name: 'Keep this workspace' }).waitFor();
    expect(await faultsForAll()).toEqual([]);
    await takePicture(page, 'keep-workspace');
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Keep this workspace' }).click();
    await correctAndClick(page, 'Keep workspace');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Keep workspace' }).click();
    await page.getByText('maya@example.org').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').fill('maya@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('Demo', { exact: true }).waitFor();
  });

  test.each(['Sign in', 'Create account'])(
    'one click on "%s" sends the request after the errors are corrected',
    async (action) => {
      const { page } = await open('/ui/', {}, [400, 401]);
      if (action === 'Create account') {
        await page.getByRole('button', { name: 'Create one' }).click();
        await page.getByLabel('Company or your name').fill('Acme');
      }
      await correctAndClick(page, action);
    },
  );

  test('an expired session is explained on the sign-in form, also after a reload', async () => {
    const { page, faultsForAll } = await open('/ui/', {}, [401]);
    await page.getByRole('button', { name: 'Create one' }).click();
    expect(await page.getByText('You were signed out').count()).toBe(0);
    await page.getByLabel('Email').fill('ben@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Company or your name').fill('Acme');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await endSession(world.url, await page.context().cookies());
    await page.getByRole('navigation').getByRole('link', { name: 'Signals' }).click();
    await page.getByText('You were signed out').waitFor();
    await page.reload();
    await page.getByText('You were signed out').waitFor();
    expect(await faultsForAll()).toEqual([]);
    await page.getByLabel('Email').fill('ben@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Signals' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('You were signed out').count()).toBe(0);
  });
});

/** Leaves two fields invalid, corrects them, and clicks once: that click must send the request, which is refused. */
async function correctAndClick(page: Page, action: string): Promise<void> {
  const button = page.getByRole('button', { name: action, exact: true });
  await page.getByLabel('Email').fill('maya');
  await page.getByLabel('Email').press('Enter');
  await page.locator('.field-error').nth(1).waitFor();
  await page.getByLabel('Email').fill('maya@example.org');
  await page.getByLabel('Password').fill(GUESSABLE);
  const answered = page.waitForResponse((response) => response.request().method() !== 'GET');
  await button.click();
  expect([400, 401]).toContain((await answered).status());
}

/** Ends the session as another browser signed in with it would. */
async function endSession(
  url: string,
  cookies: readonly { readonly name: string; readonly value: string }[],
) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const current = await fetch(`${url}/sessions/current`, { headers: { cookie } });
  const { csrfToken } = (await current.json()) as { csrfToken: string };
  const headers = { cookie, 'x-csrf-token': csrfToken };
  const ended = await fetch(`${url}/sessions`, { method: 'DELETE', headers });
  if (ended.status !== 204) throw new Error(`the session was not ended: ${ended.status}`);
}
