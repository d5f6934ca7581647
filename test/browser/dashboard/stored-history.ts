import { randomBytes } from 'node:crypto';
import { DETECTOR_RELEASE } from '#core/detect/detect.ts';
import { blanked, sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { builtFile } from '#platform/config/package-root.ts';
import { createLinkUser } from '#records/users/accounts.ts';
import { makeSignInLink } from '#records/users/sign-in-links.ts';
import { AUDITS, LEDGER, SIGNALS } from '#schemas/tables/tables.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import {
  auditIdOf,
  CODES,
  insertsOf,
  type MadeAudit,
  MODELS,
  PROVIDERS,
  SLUGS,
} from '#services/api/testing/audit-history.ts';
import { type Harness, startHarness, type TestCustomer } from '#services/api/testing/harness.ts';
import { startRealWarehouse } from '#services/api/testing/real-warehouse.ts';
import { storeDerived, storeLedgerPosition } from '#services/api/testing/stored-ledger.ts';
import { readUiFiles } from '#services/api/ui/ui-files.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Ages of audits: on both sides of the start of each range, and far before the longest one. */
const AGES_MS = [
  2 * MINUTE_MS,
  20 * MINUTE_MS,
  58 * MINUTE_MS,
  62 * MINUTE_MS,
  DAY_MS - 10 * MINUTE_MS,
  DAY_MS + 10 * MINUTE_MS,
  7 * DAY_MS - 10 * MINUTE_MS,
  7 * DAY_MS + 10 * MINUTE_MS,
  30 * DAY_MS - HOUR_MS,
  30 * DAY_MS + HOUR_MS,
  90 * DAY_MS - HOUR_MS,
  90 * DAY_MS + HOUR_MS,
  200 * DAY_MS,
  600 * DAY_MS,
];
const FATES = ['stored', 'failed', 'stored', 'erased', 'queued', 'anonymized', 'retrying'] as const;
const ANALYSIS_MS = 40_000;
/** Number of stored ledger entries, including the erasures at the end. */
const FOLDED_TO = 100;

const isStored = ({ fate }: MadeAudit): boolean => ['stored', 'anonymized', 'erased'].includes(fate);

/** Three audits of each age. Every third one is accepted in one minute and analysed in the next. */
function historyAt(nowMs: number): MadeAudit[] {
  return AGES_MS.flatMap((age) => [age, age + 1_000, age + 2_000])
    .map((age, number): MadeAudit => {
      const acceptedAt = nowMs - age;
      const sandbox = number % SLUGS.length;
      return {
        customer: 0,
        number,
        acceptedAt,
        createdAt: acceptedAt + ANALYSIS_MS,
        sandbox,
        provider: PROVIDERS[(number >> 1) % PROVIDERS.length]!,
        model: MODELS[(number >> 2) % MODELS.length]!,
        riskLevel: RISK_LEVELS[number % RISK_LEVELS.length]!,
        violations: CODES.filter((_, index) => (number + index) % 3 === 0),
        fate: FATES[number % FATES.length]!,
        repeats: [],
        order: [0],
      };
    })
    .sort((one, other) => one.createdAt - other.createdAt);
}

/** The dashboard over a history of years, with audits in every status. */
export interface StoredHistory {
  readonly url: string;
  readonly customer: TestCustomer;
  readonly harness: Harness;
  /** Signs in once. */
  readonly link: string;
  close(): Promise<void>;
}

/** Stores signals with their chain, and audits; signals have the ids of their audits. */
async function store(
  real: Awaited<ReturnType<typeof startRealWarehouse>>,
  customerId: string,
  sandboxIds: readonly string[],
): Promise<void> {
  const history = historyAt(Date.now());
  const withSignal = history.filter(isStored);
  const drafts = withSignal.map(({ sandbox, provider, model, riskLevel, violations, ...made }, index) => ({
    ...sampleDraft(index, 'SIGNAL', {
      ...sampleCore(index),
      ...{ sandboxId: sandboxIds[sandbox], sandboxSlug: SLUGS[sandbox], provider, model, riskLevel },
      violations: [...violations],
      // Sandboxes have only their first version here.
      policyVersion: `1.${DETECTOR_RELEASE}`,
      createdAt: new Date(made.createdAt).toISOString(),
    }),
    customerId,
  }));
  const rows = storedRows(drafts);
  await real.insert(SIGNALS, rows.signals);
  // The audit list has separate times, below.
  await storeDerived({ real }, { ledger: rows.ledger, signals: [] });
  await real.insert(LEDGER, rows.ledger);
  await storeLedgerPosition({ real }, customerId, FOLDED_TO);
  const fateOf = (index: number) => withSignal[index]!.fate;
  await real.insert(SIGNALS, [
    ...rows.signals
      .filter((_, index) => fateOf(index) === 'erased')
      .map((row) => blanked(row, 'ALL', FOLDED_TO - 1)),
    ...rows.signals
      .filter((_, index) => fateOf(index) === 'anonymized')
      .map((row) => blanked(row, 'DETAIL', FOLDED_TO - 2)),
  ]);
  const ids = new Map(withSignal.map((made, index) => [auditIdOf(made), rows.signals[index]!.auditId]));
  for (const { audits } of insertsOf(history, [{ customerId, sandboxIds }]))
    await real.insert(
      AUDITS,
      audits.map((row) => ({ ...row, auditId: ids.get(row.auditId) ?? row.auditId })),
    );
}

async function makeSandboxes(harness: Harness, { headers }: TestCustomer): Promise<string[]> {
  const ids: string[] = [];
  for (const slug of SLUGS) {
    const payload = { name: slug, slug, sandboxType: 'FULL_SPECTRUM' };
    ids.push((await harness.call({ method: 'POST', url: '/sandboxes', headers, payload })).body.id);
  }
  return ids;
}

/** The API in this process, over the embedded engine. */
export async function startStoredHistory(): Promise<StoredHistory> {
  const real = await startRealWarehouse();
  const harness = await startHarness({
    warehouse: real.warehouse,
    dependencies: { ui: readUiFiles(builtFile('web/site')) },
  });
  const customer = await harness.customer();
  await store(real, customer.id, await makeSandboxes(harness, customer));
  const url = await harness.app.listen({ host: '127.0.0.1', port: 0 });
  const userId = harness.dependencies.newId(Date.now());
  const user = { customerId: customer.id, userId };
  await createLinkUser(harness.state.documents, { ...user, at: new Date().toISOString() });
  const token = await makeSignInLink(harness.state.expiring, randomBytes, user);
  return {
    url,
    customer,
    harness,
    link: `${url}/ui/#token=${token}`,
    close: async () => {
      await harness.close();
      await real.close();
    },
  };
}
