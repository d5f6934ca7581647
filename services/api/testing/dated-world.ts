import { sampleFinding } from '#core/correlate/testing/sample-finding.ts';
import { CORRELATIONS } from '#schemas/tables/tables.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { FRAMEWORKS } from '#schemas/vocabulary.ts';
import { runPackageRound } from '../evidence/packages/package-rounds.ts';
import { makeAuditor } from './auditors.ts';
import { failingPipeline } from './dead-letter.ts';
import type { Answered, TestCustomer } from './harness.ts';
import { type PackageWorld, startPackageWorld } from './package-world.ts';

/** Everything in the lists was made in the last millisecond of each of these days, this often: */
export const DAYS = ['2026-11-10', '2026-11-11', '2026-11-12'] as const;
const MADE = [1, 2, 1] as const;
export const endOf = (day: string): number => Date.parse(`${day}T23:59:59.999Z`);

/** A customer with records in every list, from several days. */
export interface DatedWorld {
  /** Id of the oldest policy. */
  readonly policyId: string;
  /** Calls as the customer or, on auditors' paths, as its auditor. */
  call(method: 'GET' | 'POST', url: string, payload?: object): Promise<Answered>;
  close(): Promise<void>;
}

interface Making extends PackageWorld {
  readonly owner: TestCustomer;
  readonly post: (url: string, payload: object) => Promise<Answered>;
}

export async function startDatedWorld(): Promise<DatedWorld> {
  const begin = endOf(DAYS[0]);
  const world = await startPackageWorld(() => begin);
  try {
    return await filled(world, begin);
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function filled(world: PackageWorld, begin: number): Promise<DatedWorld> {
  const { harness } = world;
  const owner = await world.customer();
  const post = async (url: string, payload: object): Promise<Answered> => {
    const answer = await harness.call({ method: 'POST', url, headers: owner.headers, payload });
    if (answer.status >= 300) throw new Error(`${url} answered ${answer.text}`);
    return answer;
  };
  const making: Making = { ...world, owner, post };
  for (const [index, day] of DAYS.entries()) {
    harness.skew = endOf(day) - begin;
    for (let count = 0; count < MADE[index]!; count += 1) await makeRecords(making, index * 10 + count);
    for (let count = 0; count < MADE[index]!; count += 1) {
      const framework = FRAMEWORKS[index * 2 + count];
      await post('/evidence/packages', { framework, startDate: DAYS[0], endDate: DAYS[2] });
      await runPackageRound(world.jobs(), owner.id);
    }
    await world.fold();
  }
  const auditor = await makeAuditor(harness, owner);
  // A checkpoint covers all of it, and no signal is in the future.
  harness.skew += 3_600_000;
  const policies = await harness.call({ url: '/evidence/policies', headers: owner.headers });
  return {
    policyId: policies.body.data.at(-1).id,
    call: (method, url, payload) => {
      // Refills the auditor's rate limit.
      harness.skew += 1_000;
      const { headers } = url.startsWith('/auditor/') ? auditor : owner;
      return harness.call({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    },
    close: world.close,
  };
}

async function makeRecords(
  { harness, real, owner, post, signal, fold }: Making,
  number: number,
): Promise<void> {
  const now = harness.dependencies.now();
  const signalId = await signal(owner, { createdAt: new Date(now).toISOString() });
  const pipeline = failingPipeline(harness, real);
  const [auditId] = await pipeline.ingest(owner.headers, 1, 'here');
  await pipeline.list(TRIPLETS.name, auditId!);
  await pipeline.fail([auditId!]);
  await fold();
  const id = `0190abcd-0000-8000-8000-${String(number).padStart(12, '0')}`;
  await real.insert(CORRELATIONS, [sampleFinding({ customerId: owner.id, id, foundAt: now })]);
  await post('/evidence/incidents', { signalId });
  await post('/evidence/policies', { name: 'P', framework: 'GDPR' });
  await post('/evidence/retention/policies', { name: 'R', retentionDays: 3_000 });
  await post('/evidence/auditors', { name: 'A', permissions: ['READ_SIGNALS'] });
  await post('/evidence/correlations/detect', {});
}
