import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import { eventually } from '../../helpers/eventually.ts';
import { describeInBrowser } from '../chromium.ts';
import { ATTACKS, CAMPAIGN } from './pages.ts';
import { createVisits } from './visits.ts';
import { type DashboardWorld, type SignedInState, signedInState, startDashboard } from './world.ts';

const TEXTS = [
  'My card is 4111 1111 1111 1111, my mail jane.roe@example.org.',
  'Here is the key: AKIAIOSFODNN7EXAMPLE, and the secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.',
  'What is the capital of France?',
];
const BEN = { userId: 'ben', userRole: 'DPO' };
const CLEO = { userId: 'cleo', userRole: 'DPO' };

/** The pages for working with evidence, over a real ledger. */
describeInBrowser('the evidence pages', (executable) => {
  let world: DashboardWorld;
  let state: SignedInState;
  let signalIds: string[] = [];
  const visits = createVisits(
    () => world,
    () => state,
  );
  const { open } = visits;
  beforeAll(async () => {
    world = await startDashboard(executable);
    signalIds = await world.ingest(TEXTS);
    state = await signedInState(world);
  }, 120_000);
  afterAll(() => world?.close());
  afterEach(() => visits.end());

  describe('incidents', () => {
    test('an incident passes through its states with two people, and self-verification is blocked', async () => {
      const { page, faultsForAll } = await open(`/ui/incidents?tab=new&signalId=${signalIds[0]}`, {}, [409]);
      const sheet = page.getByRole('complementary');
      expect(await sheet.getByLabel('Signal').inputValue()).toBe(signalIds[0]);
      await sheet.getByLabel('Title').fill('A card <b>number</b> in a prompt');
      expect(await faultsForAll()).toEqual([]);
      await sheet.getByRole('button', { name: 'Create' }).click();
      await sheet.getByRole('heading', { name: 'A card <b>number</b> in a prompt' }).waitFor();
      const id = new URL(page.url()).searchParams.get('open')!;
      const move = async (name: string, role: string | null): Promise<void> => {
        await sheet.getByRole('radio', { name, exact: true }).click();
        if (role !== null) await sheet.getByLabel('Your role').selectOption(role);
        await sheet.getByLabel('Comment').fill(`I ${name.toLowerCase()}`);
        await sheet.getByRole('button', { name, exact: true }).click();
      };
      // The page reloads the incident after a move; if it did so after Ben's move, it would know about that before it
      // is refused.
      const reloaded = page.waitForResponse(
        (response) => response.request().method() === 'GET' && response.url().endsWith(`/incidents/${id}`),
      );
      await move('Start investigation', 'COMPLIANCE_OFFICER');
      await reloaded;
      await sheet.getByText('Dismiss (false positive): You investigated this').waitFor();

      // Another user is faster.
      const path = `/evidence/incidents/${id}/status`;
      await world.client.request('PATCH', path, { status: 'REMEDIATING', ...BEN, comment: 'asked the team' });
      await move('Resolve', null);
      const newer = sheet.getByRole('alert', { name: 'Updated by someone else' });
      await newer.getByText('asked the team').waitFor();
      expect(await faultsForAll()).toEqual([]);
      expect(await sheet.getByLabel('Comment').inputValue()).toBe('I resolve');
      await newer.getByRole('button', { name: 'Continue with version' }).click();
      await move('Resolve', null);
      await sheet.getByText('Verify: You investigated and resolved this').waitFor();

      await world.client.request('PATCH', path, { status: 'VERIFIED', ...CLEO });
      await page.reload();
      await sheet.getByText('Close: You resolved this, so someone else has to close it.').waitFor();
      await sheet
        .getByText(/ledger entry \d+/)
        .first()
        .waitFor();
      const { body } = await world.client.request('GET', `/evidence/incidents/${id}`);
      expect((body.data as unknown as { history: { to: string }[] }).history.map(({ to }) => to)).toEqual([
        'OPEN',
        'INVESTIGATING',
        'REMEDIATING',
        'RESOLVED',
        'VERIFIED',
      ]);
    });

    test('can be filtered by state and date, and read by keyboard', async () => {
      await world.client.request('POST', '/evidence/incidents', {
        signalId: signalIds[1],
        title: 'Late',
        dueAt: '2026-01-02',
      });
      const { page, faultsForAll } = await open('/ui/incidents?model=gpt');
      await page.getByText('Unknown filter “model” was ignored.').waitFor();
      await page.getByRole('list', { name: 'Incidents, newest first' }).getByText('Late').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary').getByRole('heading', { name: 'History' }).waitFor();
      expect(await faultsForAll()).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.getByRole('complementary').getByRole('button', { name: 'Close' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      expect(await page.evaluate<boolean>('document.activeElement.matches("[data-row]")')).toBe(true);
      await page.getByRole('radio', { name: /^Dismissed/ }).click();
      await page.getByText('No results for these filters').waitFor();
    });
  });

  describe('the hash chain', () => {
    test('is verified by a job and compared with a saved checkpoint', async () => {
      const { page, faultsForAll } = await open('/ui/chain');
      await page.getByText(/^. Valid · \d+ of \d+ entries checked/).waitFor();
      const note = await page.getByRole('region', { name: 'Signed note' }).textContent();
      const key = await page
        .getByRole('region', { name: 'Signing keys' })
        .locator('code')
        .first()
        .textContent();
      await world.ingest(['How tall is the Matterhorn?']);
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      const tile = page.getByRole('region', { name: 'Verification' });
      await tile.getByText(/^. Valid · \d+ of \d+ entries checked/).waitFor();
      expect(new URL(page.url()).searchParams.get('open')).toMatch(/^[0-9a-f-]{36}$/);

      await page.getByLabel('Checkpoint', { exact: true }).fill(note!);
      await page.getByLabel('Verifier key', { exact: true }).fill(key!);
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByText('The ledger extends your checkpoint').waitFor();
      const [origin, size, ...rest] = note!.split('\n');
      await page
        .getByLabel('Checkpoint', { exact: true })
        .fill([origin, Number(size) + 1, ...rest].join('\n'));
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByText('The ledger doesn’t extend your checkpoint').waitFor();
      expect(await faultsForAll()).toEqual([]);
    });

    test('shows the job’s progress and errors', async () => {
      const { page, faultsForAll } = await open('/ui/chain');
      let reads = 0;
      await page.route('**/evidence/hash-chain/verifications/*', async (route) => {
        const answer = await route.fetch();
        const { success, data } = await answer.json();
        reads += 1;
        const fault = { index: 2, id: signalIds[1], reason: 'MODIFIED' };
        const running = {
          ...data,
          status: 'RUNNING',
          checkedEntries: 3,
          totalEntries: 6,
          progress: 0.5,
          result: null,
        };
        const result = { ...data.result, valid: false, status: 'INVALID', brokenAt: fault, errors: [fault] };
        await route.fulfill({
          json: { success, data: reads < 3 || data.result === null ? running : { ...data, result } },
        });
      });
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.getByText('Verified: 50 %, 3 of 6 entries').waitFor();
      await page.getByText('Broken at entry 2: entry changed after it was recorded').waitFor();
      expect(await faultsForAll()).toEqual([]);
      await page.getByRole('link', { name: signalIds[1]! }).first().click();
      await page.getByRole('complementary').getByRole('heading', { name: 'Settings applied' }).waitFor();
    });
  });

  describe('patterns', () => {
    beforeAll(async () => {
      await world.ingest(ATTACKS, undefined, 'code-assistant');
      const listed = '/evidence/correlations?source=STREAM&type=CAMPAIGN';
      await eventually('the campaign', 20_000, async () => {
        const { body } = await world.client.request('GET', listed);
        return (body.data as unknown as unknown[])[0];
      });
    }, 60_000);

    test('a pattern describes itself and links to its signals', async () => {
      const { page, faultsForAll } = await open('/ui/correlations?type=CAMPAIGN');
      await page
        .getByRole('link', { name: /Campaign/ })
        .first()
        .click();
      const sheet = page.getByRole('complementary');
      await sheet.getByText(CAMPAIGN).waitFor();
      const line = sheet.getByRole('list', { name: 'Signals over time' });
      await line.getByRole('link').first().waitFor();
      expect(await faultsForAll()).toEqual([]);
      await line.getByRole('link').first().click();
      await page.getByRole('complementary').getByRole('heading', { name: 'Settings applied' }).waitFor();
    });

    test('a history scan finds the same pattern, and settings are saved', async () => {
      const { page, faultsForAll } = await open('/ui/correlations');
      await page.getByRole('button', { name: 'Scan history' }).click();
      const sheet = page.getByRole('complementary');
      expect(await faultsForAll()).toEqual([]);
      await sheet.getByRole('button', { name: 'Start' }).click();
      await sheet.getByRole('heading', { name: 'History scan' }).waitFor();
      await sheet.getByText(CAMPAIGN).first().click();
      await sheet.getByRole('list', { name: 'Signals over time' }).waitFor();
      expect(await faultsForAll()).toEqual([]);
      await page.getByRole('button', { name: 'Settings' }).click();
      await sheet.getByLabel('Minimum signals').fill('5');
      await sheet.getByRole('button', { name: 'Save' }).click();
      await sheet.getByText('Version 1').waitFor();
      expect(await faultsForAll()).toEqual([]);
      const { body } = await world.client.request('GET', '/evidence/correlations/settings');
      expect(body.data).toMatchObject({ minSignals: 5, windowMinutes: 60 });
    });
  });

  describe('controls', () => {
    test('a control links to its sample signals, and gaps come first', async () => {
      const { page, faultsForAll } = await open('/ui/controls');
      await page.getByText('not a certification').first().waitFor();
      const list = page.getByRole('list', { name: 'Controls, gaps first' });
      await list.getByRole('link').first().waitFor();
      expect(await list.getByRole('link').first().textContent()).toContain('No evidence');
      const coverage = await world.client.request('GET', '/evidence/attestations/coverage');
      const frameworks = coverage.body.data as unknown as { framework: string; totalControls: number }[];
      const gdpr = frameworks.find(({ framework }) => framework === 'GDPR')!;
      await page.getByRole('link', { name: /^GDPR/ }).first().click();
      await page.getByText(`${gdpr.totalControls} controls`, { exact: true }).waitFor();
      await list.getByRole('link', { name: /GDPR Art\. 5\(1\)\(c\)/ }).click();
      const sheet = page.getByRole('complementary');
      await sheet.getByRole('heading', { name: 'Sample signals' }).waitFor();
      expect(await faultsForAll()).toEqual([]);
      await sheet.getByRole('region', { name: 'Sample signals' }).getByRole('link').first().click();
      await page.getByRole('complementary').getByRole('heading', { name: 'Settings applied' }).waitFor();
    });
  });
});
