import type { Settings } from '#platform/config/settings.ts';
import type { Reconciliation } from '#schemas/api/dashboard.ts';
import { getCheckpoint, getReconciliation, verifyHashChain } from '#schemas/endpoints.ts';
import { type PolicyStatus, RISK_LEVELS } from '#schemas/vocabulary.ts';
import { RequestFailed } from '../command/client.ts';
import { print } from '../command/output.ts';
import { dashboardUrl, signInToken } from '../command/sign-in-link.ts';
import { findPatterns, packEvidence } from './history-evidence.ts';
import { openIncidents } from './history-incidents.ts';
import { createPolicies } from './history-policies.ts';
import type { RunningService } from './service.ts';
import { storeHistory } from './store-history.ts';
import { dataOf, waitFor } from './tour.ts';
import { inWorkspace, type Workspace } from './workspace.ts';

type Counts = Pick<
  Reconciliation,
  'accepted' | 'stored' | 'erased' | 'inFlight' | 'retrying' | 'deadLettered' | 'balanced'
>;
const STATUS_TEXT: Readonly<Record<PolicyStatus, string>> = {
  PASS: 'passes',
  WARN: 'is near its limit',
  FAIL: 'fails',
};

type Check = (what: string, holds: boolean) => void;

/** Waits until the newest signed checkpoint covers what is stored now: reports count up to there. */
async function coverStored({ client }: Workspace): Promise<void> {
  const { treeSize: stored } = dataOf<{ treeSize: number }>(await client.call(verifyHashChain));
  await waitFor('a signed checkpoint', async () => {
    const { treeSize } = dataOf<{ treeSize: number }>(await client.call(getCheckpoint));
    return treeSize >= stored ? treeSize : null;
  });
}

async function addUp({ client }: Workspace, check: Check): Promise<void> {
  const reconciliation = (await client.call(getReconciliation)).body as unknown as Counts;
  const { accepted, stored, erased, inFlight, retrying, deadLettered, balanced } = reconciliation;
  const open = inFlight + retrying;
  check(
    `reconciliation: ${accepted} audits accepted = ${stored} signals + ${deadLettered} failed + ${erased} erased + ${open} in progress`,
    balanced && accepted === stored + deadLettered + erased + open,
  );
  const { valid, checkedEntries, treeSize } = dataOf<Record<string, unknown>>(
    await client.call(verifyHashChain),
  );
  check(
    `the hash chain is valid: ${String(checkedEntries)} of ${String(treeSize)} entries checked`,
    valid === true && checkedEntries === treeSize,
  );
}

/** Fills the workspace; returns whether every figure added up. */
async function fill(workspace: Workspace): Promise<boolean> {
  const verdicts: boolean[] = [];
  const check: Check = (what, holds) => {
    verdicts.push(holds);
    print(`  ${holds ? 'yes' : 'NO '}  ${what}`);
  };
  const { signals, planned, added } = await storeHistory(workspace);
  const opened = await openIncidents(workspace, signals);
  await coverStored(workspace);
  const created = await createPolicies(workspace);
  const patterns = await findPatterns(workspace);
  const packed = await packEvidence(workspace);
  const isNew = added + opened + created.length > 0 || patterns !== null || packed === 'MADE';
  if (!isNew) print('The history is already here. Nothing was added.');
  else
    print(
      `Added ${added} of the ${planned} signals of the history, ${opened} incidents and ${created.length} policies.`,
    );
  const levels = RISK_LEVELS.map(
    (level) => `${signals.filter(({ riskLevel }) => riskLevel === level).length} ${level.toLowerCase()}`,
  );
  print(`${signals.length} signals: ${levels.join(', ')}.`);
  print('Past signals carry their own time. The ledger records when it accepted them: while the demo ran.\n');
  await addUp(workspace, check);
  for (const { name, status, isExpected } of created)
    check(`policy "${name}" ${STATUS_TEXT[status]}${isExpected ? ', as intended' : ''}`, isExpected);
  if (patterns !== null)
    check(`patterns found: ${[...new Set(patterns)].join(', ') || 'none'}`, patterns.includes('BURST'));
  if (packed === null) print('       no evidence package: set PACKAGES_DIR or PACKAGES_S3_BUCKET');
  else check('an evidence package is ready to download', true);
  return verdicts.every((holds) => holds);
}

/** Sign-in token for the workspace's user; null when the user has a password, or the service issues no links. */
async function linkTo({ internal, customerId }: Workspace): Promise<string | null> {
  try {
    return await signInToken(internal, customerId);
  } catch (error) {
    if (error instanceof RequestFailed) return null;
    throw error;
  }
}

/** `cas demo`: fills the workspace that the first start's link opens; returns whether every figure added up. */
export const fillWorkspace = (
  settings: Settings,
  service: RunningService,
  interrupted: Promise<never>,
): Promise<boolean> =>
  inWorkspace(settings, service.baseUrl, interrupted, async (workspace) => {
    const addsUp = await fill(workspace);
    print(addsUp ? '\nEverything added up.' : '\nSomething did not add up: see the lines marked NO.');
    if (service.startedHere) print('\nTo look at it, run npm start and open the link that it prints.');
    else print(`\nDashboard  ${dashboardUrl(service.baseUrl, await linkTo(workspace), '?range=30d')}`);
    if (workspace.shownKey !== null) print(`API key    ${workspace.shownKey}`);
    return addsUp;
  });
