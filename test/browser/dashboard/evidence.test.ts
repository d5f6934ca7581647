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

/** The pages on which somebody works with evidence, over a ledger that was really written. */
describeInBrowser('the pages of evidence', (executable) => {
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
    test('an incident goes its way by two people, and own verification is blocked', async () => {
      const { page, faultsForAll } = await open(`/ui/incidents?tab=new&signalId=${signalIds[0]}`, {}, [409]);
      const sheet = page.getByRole('complementary');
      expect(await sheet.getByLabel('Signal').inputValue()).toBe(signalIds[0]);
      await sheet.getByLabel('Title').fill('A card <b>number</b> in a prompt');
      expect(await faultsForAll()).toEqual([]);
      await sheet.getByRole('button', { name: 'Open the incident' }).click();
      await sheet.getByRole('heading', { name: 'A card <b>number</b> in a prompt' }).waitFor();
      const id = new URL(page.url()).searchParams.get('open')!;
      const move = async (name: string, role: string | null): Promise<void> => {
        await sheet.getByRole('radio', { name, exact: true }).click();
        if (role !== null) await sheet.getByLabel('Your role').selectOption(role);
        await sheet.getByLabel('Comment').fill(`I ${name.toLowerCase()}`);
        await sheet.getByRole('button', { name, exact: true }).click();
      };
      // The page looks once more after a move; were it after Ben's, it would know of that before it is refused.
      const looked = page.waitForResponse(
        (response) => response.request().method() === 'GET' && response.url().endsWith(`/incidents/${id}`),
      );
      await move('Investigate', 'COMPLIANCE_OFFICER');
      await looked;
      await sheet.getByText('Dismiss as a false alarm is not for you: you investigated it').waitFor();

      // Somebody else is quicker.
      const path = `/evidence/incidents/${id}/status`;
      await world.client.request('PATCH', path, { status: 'REMEDIATING', ...BEN, comment: 'asked the team' });
      await move('Resolve', null);
      const newer = sheet.getByRole('alert', { name: 'Newer version' });
      await newer.getByText('asked the team').waitFor();
      expect(await faultsForAll()).toEqual([]);
      expect(await sheet.getByLabel('Comment').inputValue()).toBe('I resolve');
      await newer.getByRole('button', { name: 'Go on with version' }).click();
      await move('Resolve', null);
      await sheet.getByText('Verify is not for you: you investigated and resolved it').waitFor();

      await world.client.request('PATCH', path, { status: 'VERIFIED', ...CLEO });
      await page.reload();
      await sheet.getByText('Close is not for you: you resolved it; somebody else closes it').waitFor();
      await sheet
        .getByText(/entry \d+ of the chain/)
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

    test('can be read by all, by state and by date, and by keyboard', async () => {
      await world.client.request('POST', '/evidence/incidents', {
        signalId: signalIds[1],
        title: 'Late',
        dueAt: '2026-01-02',
      });
      const { page, faultsForAll } = await open('/ui/incidents?model=gpt');
      await page.getByText('cannot be filtered by model').waitFor();
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
      await page.getByRole('radio', { name: /^DISMISSED/ }).click();
      await page.getByText('Nothing matches.').waitFor();
    });
  });

  describe('the hash chain', () => {
    test('is verified by a job, goes on from what was kept, and is broken where it says so', async () => {
      const { page, faultsForAll } = await open('/ui/chain');
      await page.getByText(/^. VALID: \d+ of \d+ entries hashed again/).waitFor();
      const note = await page.getByRole('region', { name: 'The signed note' }).textContent();
      const key = await page
        .getByRole('region', { name: 'Signing keys' })
        .locator('code')
        .first()
        .textContent();
      await world.ingest(['How tall is the Matterhorn?']);
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      const tile = page.getByRole('region', { name: 'Verification' });
      await tile.getByText(/^. VALID: \d+ of \d+ entries hashed again/).waitFor();
      expect(new URL(page.url()).searchParams.get('open')).toMatch(/^[0-9a-f-]{36}$/);

      await page.getByLabel('The kept checkpoint').fill(note!);
      await page.getByLabel('The verifier key that you kept').fill(key!);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('The ledger goes on from your checkpoint').waitFor();
      const [origin, size, ...rest] = note!.split('\n');
      await page.getByLabel('The kept checkpoint').fill([origin, Number(size) + 1, ...rest].join('\n'));
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('The ledger does not go on from your checkpoint').waitFor();
      expect(await faultsForAll()).toEqual([]);
    });

    test('shows progress and faults as the job tells them', async () => {
      const { page, faultsForAll } = await open('/ui/chain');
      let looks = 0;
      await page.route('**/evidence/hash-chain/verifications/*', async (route) => {
        const answer = await route.fetch();
        const { success, data } = await answer.json();
        looks += 1;
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
          json: { success, data: looks < 3 || data.result === null ? running : { ...data, result } },
        });
      });
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.getByText('Verified: 50 %, 3 of 6 entries').waitFor();
      await page.getByText('BROKEN AT 2: MODIFIED').waitFor();
      expect(await faultsForAll()).toEqual([]);
      await page.getByRole('link', { name: signalIds[1]! }).first().click();
      await page.getByRole('complementary').getByRole('heading', { name: 'Why' }).waitFor();
    });
  });

  describe('findings', () => {
    beforeAll(async () => {
      await world.ingest(ATTACKS, undefined, 'code-assistant');
      const listed = '/evidence/correlations?source=STREAM&type=CAMPAIGN';
      await eventually('the campaign', 20_000, async () => {
        const { body } = await world.client.request('GET', listed);
        return (body.data as unknown as unknown[])[0];
      });
    }, 60_000);

    test('a finding says what it is, and leads to its signals', async () => {
      const { page, faultsForAll } = await open('/ui/correlations?type=CAMPAIGN');
      await page
        .getByRole('link', { name: /CAMPAIGN/ })
        .first()
        .click();
      const sheet = page.getByRole('complementary');
      await sheet.getByText(CAMPAIGN).waitFor();
      const line = sheet.getByRole('list', { name: 'Signals over time' });
      await line.getByRole('link').first().waitFor();
      expect(await faultsForAll()).toEqual([]);
      await line.getByRole('link').first().click();
      await page.getByRole('complementary').getByRole('heading', { name: 'Why' }).waitFor();
    });

    test('a run over history finds the same, and settings are kept', async () => {
      const { page, faultsForAll } = await open('/ui/correlations');
      await page.getByRole('button', { name: 'Start a run' }).click();
      const sheet = page.getByRole('complementary');
      expect(await faultsForAll()).toEqual([]);
      await sheet.getByRole('button', { name: 'Start the run' }).click();
      await sheet.getByRole('heading', { name: 'Run over history' }).waitFor();
      await sheet.getByText(CAMPAIGN).first().click();
      await sheet.getByRole('list', { name: 'Signals over time' }).waitFor();
      expect(await faultsForAll()).toEqual([]);
      await page.getByRole('button', { name: 'Settings' }).click();
      await sheet.getByLabel('Least signals').fill('5');
      await sheet.getByRole('button', { name: 'Save' }).click();
      await sheet.getByText('Version 1').waitFor();
      expect(await faultsForAll()).toEqual([]);
      const { body } = await world.client.request('GET', '/evidence/correlations/settings');
      expect(body.data).toMatchObject({ minSignals: 5, windowMinutes: 60 });
    });
  });

  describe('controls', () => {
    test('a control leads to its sample signals, and gaps come first', async () => {
      const { page, faultsForAll } = await open('/ui/controls');
      await page.getByText('not a certification').first().waitFor();
      const list = page.getByRole('list', { name: 'Controls, gaps first' });
      await list.getByRole('link').first().waitFor();
      expect(await list.getByRole('link').first().textContent()).toContain('NO_EVIDENCE');
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
      await page.getByRole('complementary').getByRole('heading', { name: 'Why' }).waitFor();
    });
  });
});
