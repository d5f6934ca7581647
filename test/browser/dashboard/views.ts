import type { Page } from 'playwright-core';
import type { PageRecords } from './pages.ts';
import type { DashboardWorld } from './world.ts';

/** Content that a page shows only for one record, or only on request. */
interface View {
  readonly address: string;
  readonly act?: (page: Page) => Promise<void>;
  readonly isSignedOut?: boolean;
}

const press = (name: string | RegExp) => async (page: Page) => {
  for (const button of await page.getByRole('button', { name }).all()) await button.click();
};

/** Views whose API responses contain codes, in addition to `DASHBOARD_PAGES`. */
export async function viewsOf(
  { client }: DashboardWorld,
  { signalId, policyId }: PageRecords,
): Promise<View[]> {
  const firstId = async (path: string): Promise<string> => {
    const { body } = await client.request('GET', path);
    return String((body.data as unknown as { id: string }[])[0]!.id);
  };
  const run = await client.request('POST', '/evidence/correlations/detect', {});
  const runId = String((run.body.data as unknown as { id: string }).id);
  const [incident, pattern, failed] = [
    await firstId('/evidence/incidents'),
    await firstId('/evidence/correlations?source=STREAM'),
    await firstId('/dead-letters'),
  ];
  return [
    { address: '/ui/', act: press('View as table') },
    { address: '/ui/signals?riskLevel=LOW,HIGH,CRITICAL&violation=SECRET_LEAK', act: press('View as table') },
    { address: `/ui/incidents?open=${incident}` },
    { address: `/ui/incidents?tab=new&signalId=${signalId}` },
    { address: '/ui/incidents?status=OPEN&severity=HIGH&signalId=none' },
    { address: `/ui/correlations?open=${pattern}` },
    { address: `/ui/correlations?open=${runId}` },
    { address: '/ui/correlations?tab=run' },
    { address: '/ui/correlations?tab=settings' },
    { address: '/ui/audits?status=FAILED&riskLevel=HIGH' },
    { address: `/ui/audits?open=${failed}` },
    { address: `/ui/dead-letters?open=${failed}&reason=ANALYSIS_FAILED` },
    { address: '/ui/sandboxes?open=code-assistant' },
    { address: '/ui/controls?framework=GDPR', act: (page) => page.locator('[data-row]').first().click() },
    { address: '/ui/chain', act: (page) => page.locator('main form [type=submit]').first().click() },
    { address: `/ui/policies?open=${policyId}` },
  ];
}
